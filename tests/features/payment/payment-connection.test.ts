/** How the site is connected to its payment provider, as browser, Stripe and staff see it. */
import { describe, expect, test } from 'vitest';
import { eventsDuring } from '../../support/stripe-events.ts';
import { openShop, order, sharedShop } from '../../support/stripe-shop.ts';
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

async function expectStaffOnly(app: TestApp) {
  expect((await app.visitor().get('/api/admin/payments')).status).toBe(401);
  expect((await app.visitor().post('/api/admin/payments/check')).status).toBe(401);
}

describe('with Stripe', () => {
  const shop = sharedShop();

  test('the browser is told the key', async () => {
    const { publishableKey } = shop.fake;
    expect(await configOf(shop.app)).toEqual({ provider: 'stripe', publishableKey });
  });

  test('staff alone see how it is connected', async () => {
    const seen = { provider: 'stripe', mode: 'test', lastEvent: null, waiting: 0 };
    expect((await shop.staff.get('/api/admin/payments')).json).toEqual(seen);
    const { json } = await shop.staff.post('/api/admin/payments/check');
    expect(json.at(-1).detail).toBe(`Stripe has no enabled webhook endpoint for ${shop.webhook}`);
    await expectStaffOnly(shop.app);
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
    expect((await shop.staff.get('/api/admin/payments')).json.lastEvent?.type).toBe(event?.type);
  });
});

test('with the live keys of Stripe, staff see that real cards are charged', async () => {
  const keys = { secretKey: 'sk_live_standIn', publishableKey: 'pk_live_standIn' };
  const shop = await openShop({}, keys);
  const seen = { provider: 'stripe', mode: 'live', lastEvent: null, waiting: 0 };
  expect((await shop.staff.get('/api/admin/payments')).json).toEqual(seen);
  await shop.close();
});

test('with the test gateway there is nothing to be connected', async () => {
  const app = await startTestApp();
  const staff = await app.staff();
  expect(await configOf(app)).toEqual({ provider: 'test' });
  const seen = { provider: 'test', mode: 'test', lastEvent: null, waiting: 0 };
  expect((await staff.get('/api/admin/payments')).json).toEqual(seen);
  const detail =
    'Built-in test gateway: no real card is charged. Add the three Stripe keys to take real payments.';
  expect((await staff.post('/api/admin/payments/check')).json).toEqual([
    { what: 'Provider', ok: true, detail },
  ]);
  await expectStaffOnly(app);
  expect(await post(app, '{}')).toMatchObject([503, { message: 'Stripe is not configured' }]);
  await app.stop();
});
