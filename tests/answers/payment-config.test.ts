/** With a malformed payment configuration there is no card form and no request to Stripe, and the buyer can try again. */
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { openPayment } from '../support/checkout-steps.ts';
import { routeStripe } from '../support/fake-stripe/playwright-route.ts';
import { sharedShop } from '../support/stripe-shop.ts';
import { feed } from './feed.ts';
import { malformedAnswers } from './malformed-answers.ts';

const STRIPE = /^https:\/\/js\.stripe\.com\/\w+\/stripe\.js/;

describe('with a malformed payment configuration', () => {
  const browser = sharedBrowser();
  const shop = sharedShop();

  test('the payment form stays, and loads Stripe only with a publishable key', async () => {
    const page = await browser.open(SCREENS[0], { allowErrors: /Failed to load resource/ });
    await routeStripe(page.context(), shop.fake);
    // Stripe's script never loads, so that each retry requests the configuration again.
    await page.route(STRIPE, (route) => route.abort());
    const answer = { provider: 'stripe', publishableKey: shop.fake.publishableKey, tax: true };
    const FAILED = 'We couldn’t load the card form.';
    await page.goto(`${shop.app.address}/checkout?plan=2`);
    await openPayment(page);
    await page.getByText(FAILED).waitFor();
    const loads: string[] = [];
    page.on('request', (request) => STRIPE.test(request.url()) && loads.push(request.url()));
    const tryAgain = () => page.getByRole('button', { name: 'Try again' }).click();
    const always = [FAILED, 'Name on Card'];
    const calls = [{ call: 'payment-config', answer }];
    expect(await feed(page, { always, calls, everyVariant: true }, tryAgain)).toEqual([]);
    // Stripe's loader tries twice each time.
    const withKey = malformedAnswers(answer).filter(
      ({ status, body }) => status === 200 && hasKey(body),
    );
    expect(loads).toHaveLength(2 * (withKey.length + 1));

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
