/** How the site is connected to its payment provider, as browser, Stripe and staff see it. */
import { describe, expect, test } from 'vitest';
import { eventsDuring } from '../../support/stripe-events.ts';
import { order, sharedShop } from '../../support/stripe-shop.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const configOf = async (app: TestApp) => (await app.visitor().get('/api/payment-config')).json;

/** A body that Stripe has not signed, or has when a signature is given. */
async function post(app: TestApp, body: string, signature?: string) {
  const response = await fetch(`${app.address}/api/stripe/webhook`, {
    method: 'POST',
    headers: signature ? { 'Stripe-Signature': signature } : {},
    body,
  });
  return [response.status, await response.json()];
}

describe('with Stripe', () => {
  const shop = sharedShop();

  test('the browser is told the key', async () => {
    const { publishableKey } = shop.fake;
    expect(await configOf(shop.app)).toEqual({ provider: 'stripe', publishableKey });
  });

  test('an event is taken when it is signed', async () => {
    const [body, refused] = ['{"id":"evt_1"}', { message: 'The signature is not valid' }];
    expect(await post(shop.app, body)).toMatchObject([400, refused]);
    expect(await post(shop.app, body, 't=1,v1=0')).toMatchObject([400, refused]);
    const placed = await order(shop);
    const [event] = await eventsDuring(shop, () =>
      shop.fake.confirmCard(placed.clientSecret, '4242424242424242'),
    );
    const answer = await post(shop.app, event?.body ?? '', event?.signature());
    expect(answer).toEqual([200, { received: true }]);
  });
});

test('with the test gateway there is nothing to be connected', async () => {
  const app = await startTestApp();
  expect(await configOf(app)).toEqual({ provider: 'test' });
  expect(await post(app, '{}')).toMatchObject([503, { message: 'Stripe is not configured' }]);
  await app.stop();
});
