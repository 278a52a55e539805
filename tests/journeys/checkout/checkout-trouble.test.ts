import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_MS } from '../../../src/platform/time.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { changeItem } from '../../support/change-item.ts';
import {
  buy,
  CARDS,
  choosePlan,
  fillPayment,
  monthlyTotal,
  newEmail,
  openPayment,
  pay,
} from '../../support/checkout-steps.ts';
import { contentWith } from '../../support/content-folder.ts';
import { hasFocus } from '../../support/control-state.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { RISING } from '../../support/price-site.ts';
import { shared, sharedTestApp, startTestApp } from '../../support/test-app.ts';
import { expectToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const { 'catalogue/add-ons.json': addOns } = RISING;
const ONE_DEARER = { 'catalogue/add-ons.json': addOns };

const FAILED = [
  'Payment Failed',
  'There was an error processing your payment. Please try again.',
] as const;

describe.each(SCREENS)('when something goes wrong, a customer at the $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();
  const dearer = shared(() => startTestApp({}, contentWith(ONE_DEARER)));
  const allowErrors = /status of (4|5)\d\d|net::ERR/;

  const openCheckout = (options?: Parameters<typeof browser.open>[1]) =>
    browser.visit(screen, app, '/checkout?plan=1', options);

  async function statusesOf(email: string): Promise<string[]> {
    const { db } = app.database;
    const placed = db.selectFrom('orders').select('status').where('email', '=', email);
    return (await placed.orderBy('id').execute()).map(({ status }) => status);
  }

  const expectPaid = (page: Page) => expectToast(page, 'Payment successful!', 'Thank you');
  const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' }).click();

  test('whose connection breaks while placing an order can press Pay again, and pays once', async () => {
    const buyer = newEmail('lost.answer');
    const page = await openCheckout({ allowErrors });
    let sent = 0;
    await page.route('**/api/create-payment-intent', async (route) => {
      sent += 1;
      if (sent > 1) return route.fallback();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await buy(page, buyer);
    await expectToast(page, ...FAILED);
    await page.getByRole('alert').filter({ hasText: 'Failed to process payment' }).waitFor();
    // Nothing is sent again by itself.
    expect(sent).toBe(1);
    await expect.poll(() => page.getByLabel('Name on Card').inputValue()).toBe('Ann Lee');
    await pay(page);
    await expectPaid(page);
    expect(await statusesOf(buyer)).toEqual(['paid']);
  });

  variant('who waits for the bank cannot pay twice meanwhile', async () => {
    const page = await browser.visit(screen, app, '/checkout?plan=1');
    const release = await holdRequests(page, '**/api/create-payment-intent');
    await buy(page, newEmail('patient'));
    const label = page.getByRole('form', { name: 'Payment' }).locator('button[type=submit]');
    await expect.poll(() => label.textContent()).toBe('Processing...');
    // Closing the dialog must not allow a second payment.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Processing...', disabled: true }).waitFor();
    release();
    await expectPaid(page);
  });

  test('reads that the price has changed meanwhile, sees the new one, and pays it by pressing again', async () => {
    const buyer = newEmail('changed');
    const page = await openCheckout({ allowErrors });
    await openPayment(page);
    await fillPayment(page, CARDS.good, buyer);
    const { db } = app.database;
    // Lists follow a moment later.
    async function setPrice(price: number) {
      await changeItem(db, 'plans', 1, { price });
      const listed = async () => (await app.visitor().get('/api/plans')).json[0].price;
      await expect.poll(listed).toBe(price);
    }
    onTestFinished(() => setPrice(450));
    await setPrice(460);
    await pay(page);
    const changed = 'The price has changed. Please review your order.';
    await page.getByRole('alert').filter({ hasText: changed }).waitFor();
    await expectToast(page, 'Payment Error', changed);
    await expectAccessible(page);
    expect(await statusesOf(buyer)).toEqual([]);
    await page.getByRole('button', { name: 'Pay $460' }).click();
    await expectPaid(page);
    expect(await statusesOf(buyer)).toEqual(['paid']);
  });

  variant('who opened the page before a license got dearer pays its new price', async () => {
    const buyer = newEmail('dearer');
    const chosen = '/checkout?plan=1&microsoft365=business_standard&ms365_users=10';
    const page = await browser.visit(screen, dearer, chosen, { allowErrors });
    await openPayment(page);
    await fillPayment(page, CARDS.good, buyer);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 41 * DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    await pay(page);
    await page.getByRole('button', { name: 'Pay $594.40' }).click();
    await expectPaid(page);
  });

  test('reads that the plans cannot be loaded, and gets them by trying again', async () => {
    const page = await browser.open(screen, { allowErrors });
    await page.route('**/api/plans', (route) => route.fulfill({ status: 500, body: 'no' }));
    await page.goto(`${app.address}/checkout`);
    await page.getByText('Error loading pricing plans. Please try again later.').waitFor();
    await page.getByRole('link', { name: 'Or call (800) 555-0199' }).waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/plans');
    const release = await holdRequests(page, '**/api/plans');
    await tryAgain(page);
    await page.locator('[data-placeholder="plan"]').nth(2).waitFor();
    release();
    const heading = page.getByRole('heading', { name: 'Available Plans' });
    await expect.poll(() => hasFocus(heading)).toBe(true);
    await choosePlan(page, 'Essential');
    expect(await monthlyTotal(page)).toBe('$450.00');
  });

  variant('who opens a link with invalid values finds only the valid ones', async () => {
    const page = await browser.open(screen);
    for (const [opened, shown] of [
      ['/checkout/2', '/checkout?plan=2&microsoft365=none&ms365_users=20&cloud_backup=false'],
      [
        '/checkout/2?plan=1',
        '/checkout?plan=1&microsoft365=none&ms365_users=10&cloud_backup=false',
      ],
      ['/checkout/abc?plan=-1', '/checkout'],
      [
        '/checkout?plan=3&microsoft365=<b>&ms365_users=1e3&cloud_backup=TRUE',
        '/checkout?plan=3&microsoft365=none&ms365_users=50&cloud_backup=false',
      ],
      [
        '/checkout?cloud_backup=true&ms365_users=5',
        '/checkout?microsoft365=none&ms365_users=5&cloud_backup=true',
      ],
    ] as const) {
      await page.goto(app.address + opened);
      await page.waitForURL(app.address + shown);
    }
  });

  test('without script chooses a plan by Update, reads no total that lacks the add-ons of a link, and that paying needs script', async () => {
    const page = await browser.visit(
      screen,
      app,
      '/checkout?plan=2&microsoft365=e3&ms365_users=30&cloud_backup=true',
      { script: false },
    );
    await page.getByText('Paying needs JavaScript.').waitFor();
    await choosePlan(page, 'Enterprise');
    await page.getByRole('button', { name: 'Update' }).click();
    await page.waitForURL(/\?plan=3&/);
    await page.getByRole('radio', { name: /^Enterprise/, checked: true }).waitFor();
    await page.getByRole('heading', { name: 'Enterprise', exact: true }).waitFor();
    expect(
      await page.getByText('Monthly total', { exact: true }).filter({ visible: true }).count(),
    ).toBe(0);
    await page.goto(`${app.address}/checkout?plan=2&payment_intent_client_secret=test_1_secret_a`);
    await page.getByText('This page needs JavaScript to show your payment.').waitFor();
  });

  variant('who returns reads once that the payment is unknown, or processed', async () => {
    const page = await openCheckout({ allowErrors });
    await page.route('**/api/create-payment-intent', (route) =>
      route.fulfill({ json: { clientSecret: 'pi_of_another_server_secret_x' } }),
    );
    await openPayment(page);
    await fillPayment(page, CARDS.good);
    const returned = page.waitForURL(
      /\?plan=1&microsoft365=none&ms365_users=10&.*payment_intent_client_secret=pi_of_another/,
    );
    await pay(page);
    await returned;
    await expectToast(page, 'Payment failed', 'There was an issue');
    await page.waitForURL((url) => !url.search.includes('secret'));
    expect(await page.evaluate(() => sessionStorage.getItem('order'))).toBeNull();
    await expect.poll(() => page.getByRole('region', { name: 'Your order' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor();
    await expect.poll(() => page.getByText('Payment failed').count()).toBe(0);

    const retrieved = { json: { status: 'processing' } };
    await page.route('**/api/test-payments/retrieve', (route) => route.fulfill(retrieved));
    const secret = 'payment_intent_client_secret=x&payment_intent=y&redirect_status=succeeded';
    await page.goto(`${app.address}/checkout?plan=1&${secret}`);
    await expectToast(page, 'Payment received', 'You don’t need to pay again.');
    await page.waitForURL((url) => !/intent|redirect/.test(url.search));
  });

  test('whose bank declined reads of no payment that went through, though the order cannot be looked up', async () => {
    const page = await openCheckout({ allowErrors });
    await page.route('**/api/test-payments/retrieve', (route) =>
      route.fulfill({ json: { status: 'requires_payment_method' } }),
    );
    await page.route('**/update-status', (route) => route.fulfill({ status: 503, body: '{}' }));
    await buy(page, newEmail('declined.there'));
    await page.getByText('Failed to update order status').waitFor();
    await expectToast(page, 'Payment failed', 'There was an issue');
    expect(await page.getByText('went through').count()).toBe(0);
  });

  test('who has paid reads so while payment or order cannot be looked up, and sees the order by trying again', async () => {
    const page = await openCheckout({ allowErrors });
    const calls = ['**/api/test-payments/retrieve', '**/update-status'] as const;
    for (const call of calls)
      await page.route(call, (route) => route.fulfill({ status: 503, body: '{}' }));
    await buy(page, newEmail('looked.up'));
    await page.getByText('Failed to fetch order status').waitFor();
    await expectAccessible(page);
    await page.unroute(calls[0]);
    await tryAgain(page);
    await expectPaid(page);
    await page.getByText('Failed to update order status').waitFor();
    await expect.poll(() => page.url()).not.toContain('secret');
    await expectAccessible(page);
    const refused = page.waitForResponse(calls[1]);
    await tryAgain(page);
    await refused;
    await page.getByText('Failed to update order status').waitFor();
    await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Try again' }))).toBe(true);
    await page.getByRole('heading', { level: 1, name: 'Your order is in' }).waitFor();
    await page.unroute(calls[1]);
    await tryAgain(page);
    const order = page.getByRole('region', { name: 'Your order' });
    await order.getByText('Paid', { exact: true }).waitFor();
    await expect.poll(() => page.getByText('Failed to update order status').count()).toBe(0);

    const orders = /\/api\/orders\/\d+$/;
    await page.route(orders, (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Your order is in' }).waitFor();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
  });
});
