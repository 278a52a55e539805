/** The checkout, from the choice of a plan to the paid order. */
import type { Page } from 'playwright-core';
import { buy, CARDS, choosePlan, openPayment, pay } from '../support/checkout-steps.ts';
import { ACCOUNT, ORDER } from '../support/order-answers.ts';
import { QUOTE } from '../support/quote-answers.ts';
import { answer } from '../support/staff-answers.ts';
import { LISTS, press, refused, type ScreenState, see } from './screen-state.ts';

const CHOSEN = '/checkout?plan=2&microsoft365=business_premium&ms365_users=20&cloud_backup=true';

const EMAIL = 'ann@example.com';
const linked = (page: Page) => answer(page, 'order-page', ACCOUNT);
const LINK = '/checkout/order#token';

export const CHECKOUT_SCREENS: readonly ScreenState[] = [
  { name: 'checkout', path: '/checkout', controls: ['Proceed to Checkout', 'Back to Home'] },
  { name: 'checkout-chosen', path: CHOSEN, dark: true },
  {
    name: 'checkout-awaited',
    variant: true,
    path: '/checkout',
    before: refusedThenNeverAnswered,
    act: again,
    allowErrors: /status of 500/,
    moves: true,
  },
  {
    name: 'checkout-failed',
    variant: true,
    path: '/checkout',
    before: (page) => refused(page),
    act: see('Error loading pricing plans. Please try again later.'),
    allowErrors: /status of 500/,
    moves: true,
  },
  {
    name: 'payment',
    path: CHOSEN,
    act: openPayment,
    inFront: true,
    controls: ['Change', 'Close', 'Pay $1,389.00 per month'],
  },
  { name: 'payment-faults', variant: true, path: CHOSEN, act: payWithNothing, inFront: true },
  { name: 'payment-declined', variant: true, path: CHOSEN, act: payByBadCard, inFront: true },
  { name: 'payment-confirm', variant: true, path: CHOSEN, act: payByAskingCard, inFront: true },
  { name: 'paid', path: '/checkout', before: withMail, act: payByGoodCard },
  { name: 'paid-unmailed', variant: true, path: '/checkout', act: payByGoodCard },
  { name: 'order', path: LINK, before: linked, act: seeRegion('Payments') },
  {
    name: 'receipt',
    variant: true,
    path: LINK,
    before: linked,
    act: openReceipt,
    controls: ['Print'],
  },
  {
    name: 'order-unknown',
    variant: true,
    path: LINK,
    act: see('This link isn’t valid'),
    allowErrors: /status of 4\d\d/,
  },
  {
    name: 'quote-form',
    variant: true,
    path: CHOSEN,
    act: press('Save as a quote'),
    inFront: true,
    controls: ['Save quote'],
  },
  {
    name: 'quote',
    path: '/quote/token',
    before: (page) => answer(page, 'quote', QUOTE),
    controls: ['Print', 'Accept and pay'],
  },
  {
    name: 'quote-expired',
    variant: true,
    path: '/quote/token',
    before: (page) => answer(page, 'quote', { ...QUOTE, state: 'expired', features: [] }),
    act: see('Quote Q-217 464 190'),
  },
  {
    name: 'quote-checkout',
    variant: true,
    path: '/checkout?quote=token',
    before: (page) => answer(page, 'quote', QUOTE),
    act: see('Card Number'),
    controls: ['Pay $1,218.70 per month'],
  },
];

async function refusedThenNeverAnswered(page: Page): Promise<void> {
  await page.route(LISTS, () => undefined);
  await refused(page, 1);
}

async function again(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('[data-placeholder="plan"]').first().waitFor();
}

async function payWithNothing(page: Page): Promise<void> {
  await openPayment(page);
  await pay(page);
  await see('Please accept the terms and conditions')(page);
}

async function payByBadCard(page: Page): Promise<void> {
  await buy(page, EMAIL, CARDS.declined);
  await page.getByText('Payment Error', { exact: true }).waitFor();
}

async function payByAskingCard(page: Page): Promise<void> {
  await buy(page, EMAIL, CARDS.asks);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

/** Shows a fixed order, because a real order would have a new number each time. */
/** As on a site that sends email. */
async function withMail(page: Page): Promise<void> {
  await page.route(/\/checkout(?!\/)/, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    await route.fulfill({ response, body: html.replace('"mail":false', '"mail":true') });
  });
}

async function payByGoodCard(page: Page): Promise<void> {
  const json = { ...ORDER, page: LINK };
  await page.route(/\/api\/orders\/\d+/, (route) => route.fulfill({ json }));
  await choosePlan(page, 'Professional');
  await buy(page, EMAIL, CARDS.good);
  await see('Payment successful!')(page);
}

function seeRegion(name: string) {
  return (page: Page) => page.getByRole('region', { name }).waitFor();
}

async function openReceipt(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('article').getByText('R-1042-0001').waitFor();
}
