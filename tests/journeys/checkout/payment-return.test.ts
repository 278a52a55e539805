import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { CARDS, expectToast, fillPayment, openPayment, pay } from '../../support/checkout-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('a customer who comes back from paying to the $name', (screen) => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());
  const expectComplaints = /status of (4|5)\d\d|net::ERR/;

  test('is told that a payment failed of which nobody knows, once', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await page.goto(`${app.address}/checkout?plan=1&payment_intent_client_secret=made-up`);
    await expectToast(page, 'Payment failed', 'There was an issue');
    await expect.poll(() => page.url()).not.toContain('secret');
    await page.reload();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor();
    expect(await page.getByText('Payment failed').count()).toBe(0);
  });

  test('comes back with a secret that the gateway does not know, and reads that the payment failed', async () => {
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

  test('reads that it has paid when the order cannot be shown again', async () => {
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
