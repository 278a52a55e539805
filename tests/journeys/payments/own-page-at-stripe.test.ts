/** With Stripe as with the test gateway: a plan that runs is changed, ended, kept, and gets another card. */
import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { newAddress } from '../../support/checkout-steps.ts';
import { routeStripe, typeCard } from '../../support/fake-stripe/playwright-route.ts';
import { linkOf, openOwnPage } from '../../support/own-page.ts';
import { ASKED } from '../../support/quote-site.ts';
import {
  openShop,
  order,
  type StripeShop,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

describe.each(SCREENS)('a customer at Stripe on a $name', (screen) => {
  const browser = useBrowser();
  let shop: StripeShop;
  beforeAll(async () => {
    shop = await openShop(WITH_MAIL);
    shop.fake.autoDeliver({ url: shop.webhook, secret: shop.fake.webhookSecret });
  });
  afterAll(() => shop.close());

  const plan = (page: Page) => page.getByRole('region', { name: 'Plan and billing' });

  async function openPage(expectComplaints?: RegExp) {
    const page = await browser.open(screen, expectComplaints ? { expectComplaints } : {});
    await routeStripe(page.context(), shop.fake);
    return page;
  }

  /** Professional with 20 users and backup, paid with a Visa card. */
  async function customer() {
    const started = await order(shop);
    shop.fake.confirmCard(started.clientSecret, '4242424242424242');
    await expect
      .poll(async () => (await started.visitor.get(`/api/orders/${started.orderId}`)).json.status)
      .toBe('paid');
    const { link } = await linkOf(shop.app, started.orderId);
    return { link, visitor: started.visitor, subscription: await subscriptionOf(shop, started) };
  }

  test('sees what a change costs, makes it, cancels and keeps the plan', async () => {
    const { subscription, ...buyer } = await customer();
    const page = await openPage();
    await openOwnPage(page, buyer);
    await plan(page).getByText('Visa ending in 4242').waitFor();
    await plan(page)
      .getByText(/^\$1,199\.00 on /)
      .waitFor();
    await page.getByRole('button', { name: 'Change users or backup' }).click();
    const form = page.getByRole('form', { name: 'Change your plan' });
    await form.getByLabel('Users').fill('22');
    await form.getByRole('button', { name: 'See the new price' }).click();
    await form.getByText('New monthly total').locator('..').getByText('$1,233.90').waitFor();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Confirm change' }).click();
    await plan(page).getByText('Your plan has changed.').waitFor();
    const items = shop.fake.state.subscription.get(subscription)?.items.data ?? [];
    expect(items.map(({ quantity }) => quantity)).toEqual([1, 22, 22]);
    await page.getByRole('button', { name: 'Cancel plan…' }).click();
    await page
      .getByRole('dialog', { name: 'Cancel your plan?' })
      .getByRole('button', { name: 'Cancel plan' })
      .click();
    await plan(page).getByText('Your plan is canceled.').waitFor();
    expect(shop.fake.state.subscription.get(subscription)?.cancel_at_period_end).toBe(true);
    await page.getByRole('button', { name: 'Keep my plan' }).click();
    await plan(page).getByText('You keep your plan.').waitFor();
    expect(shop.fake.state.subscription.get(subscription)?.cancel_at_period_end).toBe(false);
  });

  test('replaces the card in Stripe’s own fields, also when the bank asks', async () => {
    const buyer = await customer();
    const page = await openPage();
    await openOwnPage(page, buyer);
    await plan(page).getByText('Visa ending in 4242').waitFor();
    await page.getByRole('button', { name: 'Replace card' }).click();
    const form = page.getByRole('form', { name: 'Replace card' });
    await page.frameLocator('iframe[title="Secure CVC input frame"]').locator('input').waitFor();
    await form.getByRole('button', { name: 'Save card' }).click();
    await form.getByText('Please enter your card number').waitFor();
    await expectAccessible(page);
    await typeCard(page, '4000 0025 0000 3155');
    await form.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('button', { name: 'Fail authentication' }).click();
    await form.getByText('did not confirm').waitFor();
    await form.getByRole('button', { name: 'Save card' }).click();
    await page.getByRole('button', { name: 'Complete authentication' }).click();
    await plan(page).getByText('Visa ending in 3155').waitFor();
    expect(shop.fake.sawDigits('4000002500003155')).toBe(false);
  });

  test('whose renewal failed pays with another card in two presses', async () => {
    const { subscription, ...buyer } = await customer();
    shop.fake.renew(subscription, { pay: false });
    const page = await openPage();
    await openOwnPage(page, buyer);
    await page.getByText('Your last payment didn’t go through.').waitFor();
    await page.getByRole('button', { name: 'Replace card' }).click();
    await page.getByText('$1,199.00 is overdue').waitFor();
    await typeCard(page, '5555 5555 5555 4444');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByText('What was overdue is paid.').waitFor();
    await plan(page).getByText('Mastercard ending in 4444').waitFor();
    expect(shop.fake.state.subscription.get(subscription)?.status).toBe('active');
  });

  test('accepts a quote by paying it', async () => {
    const saved = await shop.app
      .visitor()
      .post('/api/quotes', { ...ASKED, email: newAddress('q') });
    const page = await openPage();
    await page.route('**/api/create-payment-intent', (route) =>
      route.continue({
        headers: { ...route.request().headers(), 'x-forwarded-for': `10.8.0.${randomInt(256)}` },
      }),
    );
    await page.goto(saved.json.url);
    await page.getByRole('link', { name: 'Accept and pay' }).click();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
    await page.getByLabel('Name on Card').fill('Pat Buyer');
    await page.getByLabel('Billing Email').fill(newAddress('pat'));
    await page.getByLabel(/terms and conditions/).check();
    await typeCard(page, '4242 4242 4242 4242');
    await page.getByRole('button', { name: 'Pay $624.50 per month' }).click();
    await page.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();
    await page.goto(saved.json.url);
    await page.getByText(/This quote was accepted on/).waitFor();
  });
});
