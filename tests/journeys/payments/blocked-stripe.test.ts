/** A buyer whose ad blocker or network blocks Stripe learns what is wrong, and does not wait. */
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { fillBilling, openPayment, pay } from '../../support/checkout-steps.ts';
import { routeStripe, typeCard } from '../../support/fake-stripe/playwright-route.ts';
import { captureLog } from '../../support/logged.ts';
import { linkOf } from '../../support/own-page.ts';
import { paidOrder, sharedShop, WITH_MAIL } from '../../support/stripe-shop.ts';
import { expectToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const BLOCKED =
  'An ad blocker or your network may be blocking our card processor, Stripe. Allow js.stripe.com and try again, or save this as a quote, or call (800) 555-0199.';

const browser = sharedBrowser({ blocked: '*.stripe.com' });
const shop = sharedShop(WITH_MAIL);
beforeAll(() => shop.fake.autoDeliver(shop.webhook));
const options = { allowErrors: /ERR_NAME_NOT_RESOLVED|net::ERR/ };

describe.each(SCREENS)('a network with a buyer on a $name', (screen) => {
  test.each([
    ['refuses the frames of Stripe', true, null],
    ['refuses all of Stripe', false, null],
    ['puts an empty script in place of Stripe’s', true, 'window.Stripe = () => ({})'],
  ])(
    '%s: the buyer reads what to do in place of the card fields, which moves nothing, and when pressing Pay, and it is logged',
    async (_, hasScript, body) => {
      const page = await browser.open(screen, { baseURL: shop.app.address, ...options });
      if (hasScript) await routeStripe(page.context(), shop.fake, { framed: false });
      if (body)
        await page.route('**/stripe.js', (route) =>
          route.fulfill({ body, contentType: 'text/javascript' }),
        );
      const { lines } = captureLog();
      await page.goto('/checkout?plan=2');
      await openPayment(page);
      const form = page.getByRole('form', { name: 'Payment' });
      const height = () => form.evaluate(({ scrollHeight }) => scrollHeight);
      const before = await height();
      await form.getByText(BLOCKED).waitFor();
      expect(await height()).toBe(before);
      await fillBilling(page);
      expect(await form.locator('iframe').filter({ visible: true }).count()).toBe(0);
      await pay(page);
      await expectToast(page, 'Payment Error', BLOCKED);
      expect(await page.getByText('Please enter your card number').count()).toBe(0);
      await expectAccessible(page);
      await expect
        .poll(() => lines.find(({ event }) => event === 'part-failed'))
        .toMatchObject({ page: '/checkout', error: 'StripeBlocked' });
    },
  );

  variant('refuses Stripe’s API: the buyer reads it when pressing Pay', async () => {
    const page = await browser.open(screen, { baseURL: shop.app.address, ...options });
    await routeStripe(page.context(), shop.fake);
    await page.context().route('https://api.stripe.com/**', (route) => route.abort());
    await page.goto('/checkout?plan=2');
    await openPayment(page);
    await fillBilling(page);
    await typeCard(page, '4242 4242 4242 4242');
    await pay(page);
    const words = BLOCKED.replace('js.stripe', 'api.stripe');
    await expectToast(page, 'Payment Error', words);
  });

  variant('loses what Stripe answers to Pay: the buyer reads not to pay again yet', async () => {
    const page = await browser.open(screen, { baseURL: shop.app.address, ...options });
    await routeStripe(page.context(), shop.fake);
    await page.clock.install();
    await page.goto('/checkout?plan=2');
    await openPayment(page);
    await fillBilling(page);
    await typeCard(page, '4242 4242 4242 4242');
    await page.context().route('https://api.stripe.com/**', () => undefined);
    const asked = page.waitForRequest('https://api.stripe.com/**');
    await pay(page);
    await asked;
    await page.clock.fastForward(30_000);
    await page.waitForURL(/payment_intent_client_secret/);
    await page.clock.fastForward(10_000);
    await page.getByText('Please don’t pay again yet.').waitFor();
  });

  variant(
    'refuses Stripe: the buyer reads it where a card is replaced, and where a payment returns',
    async () => {
      const { orderId, visitor } = await paidOrder(shop);
      const page = await browser.open(screen, { as: visitor, ...options });
      await page.goto((await linkOf(shop.app, orderId)).link);
      await page.getByRole('button', { name: 'Replace card' }).click();
      await page.getByText('Allow js.stripe.com and try again, or call (800) 555-0199.').waitFor();
      await page.goto('/checkout?plan=2&payment_intent_client_secret=pi_1_secret_2');
      await page.getByText('Failed to fetch order status').waitFor();
    },
  );
});
