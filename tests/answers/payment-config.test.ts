/** Without the configuration there is no card form; it can be asked for again, and Stripe hears of none but a sound one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { openPayment } from '../support/checkout-steps.ts';
import { routeStripe } from '../support/fake-stripe/playwright-route.ts';
import { openShop, type StripeShop } from '../support/stripe-shop.ts';
import { bentAnswers } from './bent-answers.ts';
import { feed, type Screen } from './feed.ts';

const STRIPE = /^https:\/\/js\.stripe\.com\/\w+\/stripe\.js/;

describe('whatever the payment configuration is', () => {
  const browser = useBrowser();
  let shop: StripeShop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.close());

  test('the payment form stands', async () => {
    const page = await browser.open(SCREENS[0], { expectComplaints: /Failed to load resource/ });
    await routeStripe(page.context(), shop.fake);
    // It is never there, so that the configuration is asked for each time.
    await page.route(STRIPE, (route) => route.abort());
    const answer = { provider: 'stripe', publishableKey: shop.fake.publishableKey, tax: true };
    const screen: Screen = {
      name: 'the payment form',
      path: '/checkout?plan=2',
      stays: ['We couldn’t load the card form.', 'Name on Card'],
      calls: [{ url: /\/api\/payment-config$/, answer }],
      whole: true,
    };
    await page.goto(shop.app.address + screen.path);
    await openPayment(page);
    await page.getByText(screen.stays[0]).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => STRIPE.test(request.url()) && asked.push(request.url()));
    const tryAgain = () => page.getByRole('button', { name: 'Try again' }).click();
    expect(await feed(page, screen, tryAgain)).toEqual([]);
    // Stripe's loader tries twice each time.
    const keys = bentAnswers(answer).filter(({ status, body }) => status === 200 && hasKey(body));
    expect(asked).toHaveLength(2 * (keys.length + 1));

    await page.unroute(STRIPE);
    await tryAgain();
    await page.frameLocator('iframe[title="Secure CVC input frame"]').locator('input').waitFor();
  });
});

function hasKey(body: string): boolean {
  try {
    const { provider, publishableKey } = JSON.parse(body) ?? {};
    return provider === 'stripe' && typeof publishableKey === 'string';
  } catch {
    return false;
  }
}
