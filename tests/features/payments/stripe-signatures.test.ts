/** Only events that Stripe signed, and payments that match the order, change an order. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { sign } from '../../support/fake-stripe/events.ts';
import { captureLog } from '../../support/logged.ts';
import {
  eventsDuring,
  openShop,
  order,
  postEvent,
  rowOf,
  seenByStaff,
  sharedShop,
} from '../../support/stripe-shop.ts';

const shop = sharedShop();
const GOOD = '4242424242424242';

test('a payment with a bad signature, of eighteen kinds, changes nothing', async () => {
  const own = await openShop();
  const { orderId, clientSecret } = await order(own);
  // Otherwise the reconciliation at startup would find the payment.
  const reconciled = () =>
    own.fake.requests.some(({ path, status }) => path === '/v1/events' && status);
  await expect.poll(reconciled).toBe(true);
  own.fake.confirmCard(clientSecret, GOOD);
  const paid = own.fake.events.find(({ type }) => type === 'invoice.paid');
  const body = paid?.body ?? '';
  const status = async () => (await seenByStaff(own, orderId)).status;
  const now = Math.floor(Date.now() / 1000);
  const good = sign(body, own.fake.webhookSecret);
  const future = sign(body, own.fake.webhookSecret, now + 3_600);
  const kinds = [
    postEvent(own, body, { secret: 'whsec_wrong' }),
    postEvent(own, body, { timestamp: now - 301 }),
    postEvent(own, body, { timestamp: now + 3_600 }),
    postEvent(own, body, { header: null }),
    postEvent(own, body, { header: '' }),
    postEvent(own, `${body} `, { header: good }),
    postEvent(own, JSON.stringify(JSON.parse(body)), { header: good }),
    postEvent(own, body, { header: good.replace(/v1=/g, 'v0=') }),
    postEvent(own, body, { header: good.replace(/t=\d+/, `t=${now + 5}`) }),
    postEvent(own, body, { header: `t=${now},v1=${'0'.repeat(64)}` }),
    postEvent(own, body, { secret: own.fake.secretKey }),
    // Two times, of which the last is signed; and times that could be read in two ways.
    postEvent(own, body, { header: `t=${now},${future}` }),
    postEvent(own, body, { header: `;t=${now},${future}` }),
    postEvent(own, body, { header: `${future},x;t=${now}` }),
    postEvent(own, body, { header: future.replace(/t=(\d+)/, 't=$1 ') }),
    postEvent(own, body, { header: good.replace(/t=(\d+)/, 't=$1=1') }),
    postEvent(own, body, { header: good.replace(/t=/, 't=+') }),
    postEvent(own, body, { header: good.replace(/t=\d+/, 't') }),
  ];
  expect(await Promise.all(kinds)).toEqual(kinds.map(() => 400));
  expect(await status()).toBe('pending');
  expect(await postEvent(own, body, { header: good })).toBe(200);
  expect(await status()).toBe('paid');
  await own.close();
});

test.each([
  '{',
  'null',
  '{}',
  '[]',
  '"evt_1"',
  '{"object":"v2.core.event"}',
  '{"id":1,"type":"invoice.paid","livemode":false,"data":{"object":{}}}',
  '{"id":"evt_3","type":"invoice.paid","livemode":false,"data":{"object":{"customer":{}}}}',
  '{"id":"evt_1","type":"invoice.paid","livemode":false}',
  '{"id":"evt_2","type":"charge.dispute.created","livemode":false,"data":{"object":{"object":"dispute"}}}',
])('signed nonsense (%s) is acknowledged, and logged for the operator', async (body) => {
  const log = captureLog();
  expect(await postEvent(shop, body)).toBe(200);
  expect(log.lines.map(({ event }) => event)).toContain('stripe-event-parse-failed');
});

test('a visitor gets the publishable key and no other', async () => {
  const { publishableKey } = shop.fake;
  const { json } = await shop.app.visitor().get('/api/payment-config');
  expect(json).toEqual({ provider: 'stripe', publishableKey });
});

/** Pays an order; `altered` returns its signed event with changes. */
async function paid() {
  const placed = await order(shop);
  const happened = await eventsDuring(shop, () => shop.fake.confirmCard(placed.clientSecret, GOOD));
  const event = happened.find(({ type }) => type === 'invoice.paid');
  const altered = (change: object, object: object = {}) => {
    const id = `evt_${randomUUID().replaceAll('-', '')}`;
    const copy = { ...JSON.parse(event?.body ?? ''), id, ...change };
    Object.assign(copy.data.object, object);
    return copy;
  };
  return { placed, altered };
}

test('an event that Stripe’s API does not confirm changes nothing', async () => {
  const unpaid = await order(shop);
  const { customerId: customer } = (await rowOf(shop, unpaid.orderId)).subscription;
  expect(await postEvent(shop, (await paid()).altered({}, { customer }))).toBe(200);
  expect((await seenByStaff(shop, unpaid.orderId)).status).toBe('pending');
});

test('an event of the other mode changes nothing', async () => {
  const { placed, altered } = await paid();
  expect(await postEvent(shop, altered({ livemode: true }))).toBe(200);
  expect((await seenByStaff(shop, placed.orderId)).status).toBe('pending');
});

test('an event without an order, or of an unused type, is acknowledged', async () => {
  const { altered } = await paid();
  expect(await postEvent(shop, altered({}, { customer: 'cus_x' }))).toBe(200);
  expect(await postEvent(shop, altered({ data: { object: { odd: true } } }))).toBe(200);
  expect(await postEvent(shop, altered({ type: 'coupon.created' }))).toBe(200);
});

test.each([
  ['part of the first invoice', 'invoice', 'paid', { status: 'paid', amount_paid: 100 }],
  ['nothing of a credited invoice', 'invoice', 'paid', { status: 'paid', amount_paid: 0 }],
  ['more than the invoice', 'invoice', 'paid', { status: 'paid', amount_paid: 1e7 }],
  [
    'another currency',
    'payment_intent',
    'pending',
    { status: 'succeeded', currency: 'eur', amount_received: 1 },
  ],
] as const)(
  '%s that Stripe counts as paid is noted for staff, once',
  async (_what, kind, status, change) => {
    const placed = await order(shop);
    Object.assign([...shop.fake.state[kind].values()].at(-1) ?? {}, change);
    const path = `/api/orders/${placed.orderId}/update-status`;
    for (let times = 0; times < 2; times += 1) {
      const { json } = await placed.visitor.post(path, { status: 'processing' });
      expect(json.status).toBe(status);
    }
    const { changes } = await seenByStaff(shop, placed.orderId);
    const notes = changes.filter(({ text }: { text: string }) => text.includes('the order for'));
    expect(notes).toHaveLength(1);
  },
);

test('an order of the other mode is left alone by events, reconciliation and the second-order warning', async () => {
  const own = await openShop();
  const email = 'again@example.com';
  const placed = await order(own, { email });
  await own.app.database.db.updateTable('subscriptions').set({ live: 1 }).execute();
  const now = await order(own, { email });
  for (const { clientSecret } of [placed, now]) own.fake.confirmCard(clientSecret, GOOD);
  await own.fake.deliver(own.fake.eventsOf('invoice.paid').slice(0, 1), { to: own.webhook });
  await placed.visitor.post(`/api/orders/${placed.orderId}/update-status`, {
    status: 'processing',
  });
  await own.restart();
  await expect.poll(async () => (await seenByStaff(own, now.orderId)).status).toBe('paid');
  const left = await seenByStaff(own, placed.orderId);
  expect(left).toMatchObject({ status: 'pending', providerCustomer: { url: null } });
  await own.close();
});
