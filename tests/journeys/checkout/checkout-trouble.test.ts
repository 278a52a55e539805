import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { changeItem } from '../../support/change-item.ts';
import {
  CARDS,
  choosePlan,
  expectToast,
  fillPayment,
  monthlyTotal,
  newEmail,
  openPayment,
  pay,
} from '../../support/checkout-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const FAILED = [
  'Payment Failed',
  'There was an error processing your payment. Please try again.',
] as const;

describe.each(SCREENS)('when something goes wrong, a customer at the $name', (screen) => {
  const browser = useBrowser();
  const app = sharedTestApp();
  const expectComplaints = /status of (4|5)\d\d|net::ERR/;

  /** Orders wait from now on; gives what lets them go. */
  async function holdOrder(page: Page): Promise<() => void> {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/create-payment-intent', async (route) => {
      await held;
      await route.continue();
    });
    return release;
  }

  /** Of each order of this buyer. */
  async function statusOf(email: string): Promise<string[]> {
    const { db } = app.database;
    const placed = db.selectFrom('orders').select('status').where('email', '=', email);
    return (await placed.orderBy('id').execute()).map(({ status }) => status);
  }

  test('sends the same order again after answers that never came, and pays once', async () => {
    const buyer = newEmail('lost.answer');
    const page = await browser.open(screen, { expectComplaints });
    await page.goto(`${app.address}/checkout?plan=1`);
    let lost = 0;
    await page.route('**/api/create-payment-intent', async (route) => {
      // The page itself asks a second time.
      if (lost > 1) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await openPayment(page);
    await fillPayment(page, CARDS.good, buyer);
    await pay(page);
    await expectToast(page, ...FAILED);
    expect(await page.getByLabel('Name on Card').inputValue()).toBe('Ann Lee');
    await pay(page);
    await expectToast(page, 'Payment successful!', 'Thank you');
    expect(await statusOf(buyer)).toEqual(['paid']);
  });

  test('presses twice and pays once', async () => {
    const buyer = newEmail('twice');
    const page = await browser.open(screen);
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await fillPayment(page, CARDS.good, buyer);
    await page.getByRole('button', { name: /^Pay \$/ }).dblclick();
    await expectToast(page, 'Payment successful!', 'Thank you');
    expect(await statusOf(buyer)).toEqual(['paid']);
  });

  test('finds the payment form missing: the dialog says so, and it comes after trying again', async () => {
    const page = await browser.open(screen, {
      expectComplaints: /status of 404|dynamically imported|a part could not be fetched/,
    });
    const script = '**/assets/payment-form-*.js';
    await page.route(script, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await page.getByRole('dialog').getByText('This part didn’t load.').waitFor();
    await page.unroute(script);
    const loaded = page.waitForEvent('load');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await loaded;
    await openPayment(page);
    await page.getByLabel('Name on Card').waitFor();
  });

  test('reads after four seconds what takes so long, and cannot pay twice meanwhile', async () => {
    const page = await browser.open(screen);
    await page.clock.install();
    await page.goto(`${app.address}/checkout?plan=1`);
    const release = await holdOrder(page);
    await openPayment(page);
    await fillPayment(page, CARDS.good, newEmail('patient'));
    await pay(page);
    const label = page.getByRole('form', { name: 'Payment' }).locator('button[type=submit]');
    await expect.poll(() => label.textContent()).toBe('Processing...');
    await page.clock.fastForward(4_000);
    await expect.poll(() => label.textContent()).toBe('Asking your bank…');
    // No other payment begins behind the one that is under way.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Processing...' }).isDisabled()).toBe(true);
    release();
    await expectToast(page, 'Payment successful!', 'Thank you');
  });

  test('refuses by closing the form while the bank asks', async () => {
    const buyer = newEmail('refusing');
    const page = await browser.open(screen);
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await fillPayment(page, CARDS.asks, buyer);
    await pay(page);
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.keyboard.press('Escape');
    await expectToast(page, 'Payment failed', 'There was an issue');
    expect(await statusOf(buyer)).toEqual(['failed']);
  });

  test('buys where the browser forbids storage', async () => {
    const buyer = newEmail('forbidden');
    const page = await browser.open(screen);
    await page.addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      }),
    );
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await fillPayment(page, CARDS.good, buyer);
    await pay(page);
    await expectToast(page, 'Payment successful!', 'Thank you');
    expect(await statusOf(buyer)).toEqual(['paid']);
  });

  test('is told when the price has changed meanwhile, and no order is made', async () => {
    const buyer = newEmail('changed');
    const page = await browser.open(screen, { expectComplaints });
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await fillPayment(page, CARDS.good, buyer);
    const { db } = app.database;
    onTestFinished(() => changeItem(db, 'plans', 1, { price: 450 }));
    await changeItem(db, 'plans', 1, { price: 460 });
    await pay(page);
    await page.getByText('The price has changed. Please review your order.').waitFor();
    await expectToast(page, ...FAILED);
    await expectAccessible(page);
    expect(await statusOf(buyer)).toEqual([]);
  });

  test('sees that the plans cannot be loaded, and gets them by trying again', async () => {
    const page = await browser.open(screen, { expectComplaints });
    let broken = true;
    await page.route('**/api/plans', (route) =>
      broken ? route.fulfill({ status: 500, body: 'no' }) : route.fallback(),
    );
    await page.goto(`${app.address}/checkout`);
    await page.getByText('Error loading pricing plans. Please try again later.').waitFor();
    await page.getByRole('link', { name: 'Or call (800) 555-0199' }).waitFor();
    await expectAccessible(page);
    broken = false;
    const { promise: awaited, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/plans', async (route) => {
      await awaited;
      return route.fallback();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-placeholder="plan"]').nth(2).waitFor();
    release();
    await choosePlan(page, 'Essential');
    expect(await monthlyTotal(page)).toBe('$450.00');
  });

  test('opens links with nonsense in them and finds in the address what makes sense', async () => {
    const page = await browser.open(screen);
    const cases: [string, string][] = [
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
        '/checkout?plan=3&microsoft365=e3&ms365_users=1001&cloud_backup=true',
        '/checkout?plan=3&microsoft365=e3&ms365_users=50&cloud_backup=true',
      ],
      [
        '/checkout?cloud_backup=true&ms365_users=5',
        '/checkout?microsoft365=none&ms365_users=5&cloud_backup=true',
      ],
    ];
    for (const [asked, shown] of cases) {
      await page.goto(app.address + asked);
      await page.waitForURL(app.address + shown);
    }
  });

  test('without script reads that paying and its result need it', async () => {
    const page = await browser.open(screen, { script: false });
    await page.goto(`${app.address}/checkout?plan=2`);
    await page.getByText('Paying needs JavaScript.').waitFor();
    await page.goto(`${app.address}/checkout?plan=2&payment_intent_client_secret=test_1_secret_a`);
    await page.getByText('This page needs JavaScript to show your payment.').waitFor();
  });

  test('comes back with a secret that the gateway does not know, and reads once that the payment failed', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await page.route('**/api/create-payment-intent', (route) =>
      route.fulfill({ json: { clientSecret: 'pi_of_another_server_secret_x' } }),
    );
    await page.goto(`${app.address}/checkout?plan=1`);
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
    expect(await page.getByRole('region', { name: 'Your order' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor();
    expect(await page.getByText('Payment failed').count()).toBe(0);
  });

  test('comes back when the payment cannot be looked up, and asks again', async () => {
    const page = await browser.open(screen, { expectComplaints });
    let broken = true;
    await page.route('**/api/test-payments/retrieve', (route) =>
      broken ? route.fulfill({ status: 503, body: '{}' }) : route.fallback(),
    );
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await fillPayment(page, CARDS.good, 'looked.up@example.com');
    await pay(page);
    await page.getByText('Failed to fetch order status').waitFor();
    await expectAccessible(page);
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expectToast(page, 'Payment successful!', 'Thank you');
    await expect.poll(() => page.url()).not.toContain('secret');
  });

  test('has paid when the order cannot be updated, reads so, and asks again', async () => {
    const page = await browser.open(screen, { expectComplaints });
    let broken = true;
    await page.route('**/update-status', (route) =>
      broken ? route.fulfill({ status: 503, body: '{}' }) : route.fallback(),
    );
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await fillPayment(page, CARDS.good, 'not.updated@example.com');
    await pay(page);
    await expectToast(page, 'Payment successful!', 'Thank you');
    await page.getByText('Failed to update order status').waitFor();
    await expect.poll(() => page.url()).not.toContain('secret');
    await expectAccessible(page);
    const refused = page.waitForResponse('**/update-status');
    await page.getByRole('button', { name: 'Try again' }).click();
    await refused;
    await page.getByText('Failed to update order status').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor();
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    const card = page.getByRole('region', { name: 'Your order' });
    await card.getByText('Paid', { exact: true }).waitFor();
    expect(await page.getByText('Failed to update order status').count()).toBe(0);
  });

  test('comes back, has paid, and reads so when the order cannot be shown again', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await page.goto(`${app.address}/checkout?plan=1`);
    await openPayment(page);
    await fillPayment(page, CARDS.good, 'not.shown@example.com');
    await pay(page);
    await page.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();
    await page.route(/\/api\/orders\/\d+$/, (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Payment received' }).waitFor();
    expect(await page.getByRole('button', { name: 'Proceed to Checkout' }).count()).toBe(0);
    await expectAccessible(page);
  });
});
