/** However many ask about an order, Stripe is asked once at a time. */
import { expect, test, vi } from 'vitest';
import { eventsDuring, order, rowOf, sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();
const requests = () => shop.fake.requests.length;
const CARD = '4242424242424242';
const DECLINED = '4000000000009995';

/** The looks keep their pauses, and no call's deadline passes. */
function withoutDeadlines(): void {
  vi.stubGlobal('patient', true);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

test('a hundred status calls about one unpaid order share a few looks, and leave its version alone', async () => {
  const { visitor, orderId } = await order(shop);
  withoutDeadlines();
  const { version } = await rowOf(shop, orderId);
  const before = requests();
  const path = `/api/orders/${orderId}/update-status`;
  const asked = await Promise.all(
    Array.from({ length: 100 }, () => visitor.post(path, { status: 'processing' })),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  // A look takes four requests. On a slow machine some calls arrive after the second one.
  expect(requests() - before).toBeLessThanOrEqual(40);
  expect((await rowOf(shop, orderId)).version).toBe(version);
});

test('sixty declined cards on one order are a few looks', async () => {
  const { orderId, clientSecret } = await order(shop);
  const events = await eventsDuring(shop, () => {
    for (let card = 0; card < 60; card += 1) shop.fake.confirmCard(clientSecret, DECLINED);
  });
  expect(events.length).toBeGreaterThanOrEqual(60);
  withoutDeadlines();
  const before = requests();
  const statuses = await shop.fake.deliver(events, { to: shop.webhook, together: true });
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(requests() - before).toBeLessThanOrEqual(40);
  expect((await rowOf(shop, orderId)).status).toBe('failed');
});

test('a customer who asks right after an earlier look still reads that the order is paid', async () => {
  const { visitor, orderId, clientSecret } = await order(shop);
  const ask = () => visitor.post(`/api/orders/${orderId}/update-status`, { status: 'processing' });
  expect((await ask()).json.status).toBe('pending');
  shop.fake.confirmCard(clientSecret, CARD);
  expect((await ask()).json.status).toBe('paid');
});

test.each([
  ['never reached Stripe', { subscriptionId: null, paymentId: null }],
  ['belongs to another provider', { provider: 'test' }],
] as const)(
  'a customer who returns to an order that %s sees it unchanged, and Stripe is not asked',
  async (_what, change) => {
    const { visitor, orderId } = await order(shop);
    const subscriptions = shop.app.database.db.updateTable('subscriptions').set(change);
    await subscriptions.where('orderId', '=', orderId).execute();
    const before = requests();
    const path = `/api/orders/${orderId}`;
    const { json } = await visitor.post(`${path}/update-status`, { status: 'processing' });
    expect(json).toEqual((await visitor.get(path)).json);
    expect(requests()).toBe(before);
  },
);
