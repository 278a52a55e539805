/** The checkout, from the choice of a plan to the paid order. */
import type { Page } from 'playwright-core';
import {
  CARDS,
  choosePlan,
  fillCard,
  fillPayment,
  openPayment,
  pay,
} from '../support/checkout-steps.ts';
import { ACCOUNT, ORDER } from './order-answers.ts';
import { QUOTE } from './quote-answers.ts';
import { neverAnswered, refused, type ScreenState } from './screen-state.ts';

const CHOSEN = '/checkout?plan=2&microsoft365=business_premium&ms365_users=20&cloud_backup=true';

export const CHECKOUT_SCREENS: readonly ScreenState[] = [
  { name: 'checkout', path: '/checkout', controls: ['Proceed to Checkout', 'Back to Home'] },
  { name: 'checkout-chosen', path: CHOSEN, dark: true },
  {
    name: 'checkout-awaited',
    path: '/checkout',
    before: refusedThenNeverAnswered,
    act: again,
    allowErrors: /status of 500/,
    moves: true,
  },
  {
    name: 'checkout-failed',
    path: '/checkout',
    before: (page) => refused(page),
    act: seePlansFail,
    allowErrors: /status of 500/,
    moves: true,
  },
  {
    name: 'payment',
    path: CHOSEN,
    act: openPayment,
    inFront: true,
    controls: ['Change', 'Close'],
  },
  { name: 'payment-faults', path: CHOSEN, act: payWithNothing, inFront: true },
  { name: 'payment-declined', path: CHOSEN, act: payByBadCard, inFront: true },
  { name: 'payment-confirm', path: CHOSEN, act: payByAskingCard, inFront: true },
  { name: 'paid', path: '/checkout', act: payByGoodCard },
  { name: 'order', path: '/checkout/order#token', before: linked, act: seeOrder },
  {
    name: 'receipt',
    path: '/checkout/order#token',
    before: linked,
    act: openReceipt,
    controls: ['Print'],
  },
  {
    name: 'order-unknown',
    path: '/checkout/order#token',
    act: seeNoOrder,
    allowErrors: /status of 4\d\d/,
  },
  { name: 'quote-form', path: CHOSEN, act: openQuoteForm, inFront: true },
  {
    name: 'quote',
    path: '/quote/token',
    before: (page) => quoted(page, {}),
    act: seeQuote,
    controls: ['Print', 'Accept and pay'],
  },
  {
    name: 'quote-expired',
    path: '/quote/token',
    before: (page) => quoted(page, { state: 'expired' }),
    act: seeQuote,
  },
  {
    name: 'quote-checkout',
    path: '/checkout?quote=token',
    before: (page) => quoted(page, {}),
    act: (page) => page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor(),
    controls: ['Proceed to Checkout'],
  },
];

async function refusedThenNeverAnswered(page: Page): Promise<void> {
  await neverAnswered(page);
  await refused(page, 1);
}

function seePlansFail(page: Page): Promise<void> {
  return page.getByText('Error loading pricing plans. Please try again later.').waitFor();
}

async function again(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('[data-placeholder="plan"]').first().waitFor();
}

async function payWithNothing(page: Page): Promise<void> {
  await openPayment(page);
  await pay(page);
  await page.getByText('Please accept the terms and conditions').waitFor();
}

async function payByBadCard(page: Page): Promise<void> {
  await openPayment(page);
  await fillPayment(page, CARDS.declined);
  await pay(page);
  await page.getByText('Payment Error', { exact: true }).waitFor();
}

async function payByAskingCard(page: Page): Promise<void> {
  await openPayment(page);
  await fillPayment(page, CARDS.asks);
  await pay(page);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
}

/** Shows a fixed order, because a real order would have a new number each time. */
async function payByGoodCard(page: Page): Promise<void> {
  await page.route(/\/api\/orders\/\d+/, (route) => route.fulfill({ json: ORDER }));
  await choosePlan(page, 'Professional');
  await openPayment(page);
  await fillPayment(page, CARDS.unknown);
  await fillCard(page, CARDS.good);
  await pay(page);
  await page.getByText('Payment successful!').first().waitFor();
}

async function openQuoteForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save as a quote' }).click();
  await page.getByRole('button', { name: 'Save quote' }).waitFor();
}

async function quoted(page: Page, change: Partial<typeof QUOTE>): Promise<void> {
  const json = { ...QUOTE, ...change };
  await page.route('**/api/quote', (route) => route.fulfill({ json }));
}

function seeQuote(page: Page): Promise<void> {
  return page.getByRole('region', { name: 'The quote' }).waitFor();
}

async function linked(page: Page): Promise<void> {
  await page.route('**/api/order-page', (route) => route.fulfill({ json: ACCOUNT }));
}

function seeOrder(page: Page): Promise<void> {
  return page.getByRole('region', { name: 'Payments' }).waitFor();
}

async function openReceipt(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Receipt' }).click();
  await page.getByRole('article').getByText('T-1042-0001').waitFor();
}

async function seeNoOrder(page: Page): Promise<void> {
  await page.getByText('This link isn’t valid').waitFor();
  await page.getByRole('heading', { name: 'Lost your link?' }).waitFor();
}
