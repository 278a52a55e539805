/** What was decided on an order that has changed since is refused with the order as it is. */

import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test as onBoth } from 'vitest';
import { readEvents } from '../../../src/billing/order-event-store.server.ts';
import { orderReference } from '../../../src/billing/reference.ts';
import { planOptions } from '../../../src/billing/subscription.ts';
import { parseLines } from '../../../src/catalogue/pricing.ts';
import { describedFaults } from '../../support/answer-faults.ts';
import { ownPage, shownPrice } from '../../support/own-page.ts';
import { colleague } from '../../support/staff-steps.ts';
import {
  countEmails,
  order,
  paidOrder,
  paymentOf,
  rowOf,
  sharedShop,
  subscriptionOf,
  toldOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';
import { onOneDatabase as test } from '../../support/variant.ts';

const shop = sharedShop(WITH_MAIL);
beforeEach(() => {
  shop.fake.autoDeliver(shop.webhook);
  shop.staff.move();
});

/** A paid order, the version that staff and customer have seen, and the customer's own page. */
async function paid() {
  const { orderId, visitor, ...placed } = await paidOrder(shop);
  const { version } = await rowOf(shop, orderId);
  const page = await ownPage(shop.app, orderId, visitor);
  return { ...placed, ...page, orderId, visitor, version };
}

const act = (orderId: number, what: 'refund' | 'cancel' | 'keep', body: object) =>
  shop.staff.post(`/api/admin/orders/${orderId}/${what}`, body);
const setStatus = (orderId: number, body: object) =>
  shop.staff.post(`/api/orders/${orderId}/update-status`, body);
/** What staff read of the order's history, newest last. */
const textsOf = async (orderId: number): Promise<string[]> =>
  (await shop.staff.move().get(`/api/orders/${orderId}`)).json.changes.map(
    ({ text }: { text: string }) => text,
  );

const ENDS = [
  ['end', (id: number, version?: number) => act(id, 'cancel', { when: 'now', version })],
  ['cancel', (id: number, version?: number) => setStatus(id, { status: 'canceled', version })],
] as const;

test.each(ENDS)(
  'staff who %s an order that its customer has just paid change nothing',
  async (_verb, end) => {
    const { orderId, clientSecret } = await order(shop);
    const { version } = await rowOf(shop, orderId);
    shop.fake.confirmCard(clientSecret, '4242424242424242');
    await shop.fake.settled();
    const refused = await end(orderId, version);
    expect(refused).toMatchObject({ status: 409, json: { now: { id: orderId, status: 'paid' } } });
    expect(refused.json.message).toContain('The customer has paid in the meantime');
    expect((await rowOf(shop, orderId)).status).toBe('paid');
  },
);

test.each(ENDS)('staff who know no version cannot %s what has been paid', async (_verb, end) => {
  const { orderId } = await paid();
  const now = { id: orderId, status: 'paid' };
  expect(await end(orderId)).toMatchObject({ status: 409, json: { now } });
});

test('a refund whose answer was lost is not made a second time with another amount', async () => {
  const { orderId, version } = await paid();
  expect((await act(orderId, 'refund', { amount: 50, version })).json.refunded).toBe(50);
  const again = await act(orderId, 'refund', { amount: 60, version });
  expect(again).toMatchObject({ status: 409, json: { now: { refunded: 50 } } });
  const next = { amount: 60, version: again.json.now.version };
  expect((await act(orderId, 'refund', next)).json.refunded).toBe(110);
});

test('staff who end a paid order read that this gave nothing back', async () => {
  const { orderId, version } = await paid();
  await act(orderId, 'cancel', { when: 'now', version });
  expect((await textsOf(orderId)).at(-1)).toBe('This end refunded nothing');
});

test('staff who cancel an order of a provider that is not active read that this gave nothing back', async () => {
  const { orderId, version } = await paid();
  const { db } = shop.app.database;
  const subscription = db.updateTable('subscriptions').where('orderId', '=', orderId);
  await subscription.set({ provider: 'former' }).execute();
  expect((await setStatus(orderId, { status: 'canceled', version })).status).toBe(200);
  expect((await textsOf(orderId)).at(-1)).toBe('This end refunded nothing');
});

test('what came before an end was set or withdrawn, with a late event, is not attributed to who did', async () => {
  const { orderId, version, ask, ...placed } = await paid();
  shop.fake.autoDeliver(null);
  shop.fake.renew(await subscriptionOf(shop, { orderId }), { pay: true });
  expect((await act(orderId, 'cancel', { when: 'period-end', version })).status).toBe(200);
  shop.fake.refundCharge(paymentOf({ orderId, ...placed }), 5_000);
  expect((await ask('keep')).status).toBe(200);
  const events = await readEvents(shop.app.database.db, orderId);
  const came = events.filter(({ event: { kind } }) => kind === 'renewed' || kind === 'refunded');
  expect(came.map(({ event, causeId }) => [event.kind, causeId])).toEqual([
    ['renewed', null],
    ['refunded', null],
  ]);
});

test('staff who keep a plan that a colleague has just kept at Stripe have pressed nothing', async () => {
  const { orderId, version: before } = await paid();
  await act(orderId, 'cancel', { when: 'period-end', version: before });
  await shop.fake.settled();
  const { version } = await rowOf(shop, orderId);
  shop.fake.autoDeliver(null);
  const kept = { cancel_at_period_end: false, cancel_at: null };
  const id = await subscriptionOf(shop, { orderId });
  shop.fake.editSubscription(id, (subscription) => Object.assign(subscription, kept));
  const { status, json } = await act(orderId, 'keep', { version });
  expect([status, json.endsAt]).toEqual([200, null]);
  expect((await textsOf(orderId)).join()).not.toContain('End taken back by');
});

test('staff who keep a plan that a colleague has just ended at Stripe are asked to look again', async () => {
  const { orderId, version: before } = await paid();
  await act(orderId, 'cancel', { when: 'period-end', version: before });
  await shop.fake.settled();
  const { version } = await rowOf(shop, orderId);
  shop.fake.autoDeliver(null);
  const id = await subscriptionOf(shop, { orderId });
  shop.fake.cancelSubscription(id);
  shop.fake.editSubscription(id, (subscription) =>
    Object.assign(subscription, { cancel_at_period_end: false, cancel_at: null }),
  );
  const refused = await act(orderId, 'keep', { version });
  expect(refused).toMatchObject({ status: 409, json: { now: { status: 'canceled' } } });
});

const UNSEEN = [
  ['ended at Stripe', 'canceled', (id: string) => void shop.fake.cancelSubscription(id)],
  ['became overdue', 'past_due', (id: string) => void shop.fake.renew(id, { pay: false })],
] as const;

test.each(UNSEEN)(
  'a customer who ends a plan that just %s is asked to look again, and staff are not called',
  async (_, status, happens) => {
    const { orderId, ask } = await paid();
    shop.fake.autoDeliver(null);
    happens(await subscriptionOf(shop, { orderId }));
    const refused = await ask('cancel', { reason: 'price' });
    expect(refused).toMatchObject({ status: 409, json: { now: { order: { status } } } });
    expect(refused.json.message).toContain('Please look at it again');
    expect(await toldOf(shop, { orderId }, 'order-end-wanted')).toEqual([]);
    expect((await rowOf(shop, orderId)).endReason).toBeNull();
  },
);

test.each([
  ['now', ...UNSEEN[0]],
  ['period-end', ...UNSEEN[0]],
  ['period-end', ...UNSEEN[1]],
] as const)(
  'staff who end (%s) a plan that just %s have pressed nothing',
  async (when, _, status, happens) => {
    const { orderId, version } = await paid();
    shop.fake.autoDeliver(null);
    happens(await subscriptionOf(shop, { orderId }));
    const refused = await act(orderId, 'cancel', { when, version });
    expect(refused).toMatchObject({ status: 409, json: { now: { status } } });
    expect((await textsOf(orderId)).join()).not.toContain('by admin');
  },
);

test('a customer who ends an overdue plan of which a payment was just refunded in part is asked to look again', async () => {
  const { orderId, ask, ...placed } = await paid();
  shop.fake.renew(await subscriptionOf(shop, { orderId }), { pay: false });
  await shop.fake.settled();
  shop.fake.autoDeliver(null);
  shop.fake.refundCharge(paymentOf({ orderId, ...placed }), 5_000);
  const now = { order: { status: 'past_due', refunded: 50 } };
  expect(await ask('cancel')).toMatchObject({ status: 409, json: { now } });
  expect(await toldOf(shop, { orderId }, 'order-end-wanted')).toEqual([]);
});

test('a customer whose page is older can neither cancel nor change the plan', async () => {
  const { orderId, version, ask } = await paid();
  await act(orderId, 'cancel', { when: 'period-end', version });
  for (const [call, body] of [
    ['cancel', {}],
    ['keep', {}],
    ['card/use', { clientSecret: 'secret' }],
  ] as const) {
    const answered = await ask(call, { version, ...body });
    expect(answered.status).toBe(409);
    expect(answered.json.now.order.endsAt).not.toBeNull();
  }
});

describe('while Stripe is slow', () => {
  const slow = () => shop.fake.failNext({ how: 'slow', ms: 300, method: 'POST', times: 4 });
  afterEach(() => shop.fake.clearFaults());

  onBoth(
    'two tabs that confirm two changes of the plan at once make one, with one email and one proration',
    async () => {
      const { orderId, version, ask } = await paid();
      const from = { users: 20, backup: true };
      const wanted = [
        { users: 30, backup: true, from },
        { users: 9, backup: false, from },
      ];
      const shown: object[] = [];
      for (const change of wanted)
        shown.push({ ...change, version, ...shownPrice((await ask('preview', change)).json) });
      slow();
      const answers = await Promise.all(shown.map((change) => ask('change', change)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused?.json.now.order).toMatchObject({ id: orderId });
      const made = wanted[answers.findIndex(({ status }) => status === 200)];
      await shop.fake.settled();
      const { subscription: running } = await rowOf(shop, orderId);
      expect(planOptions(parseLines(running.priceLines)).users).toBe(made?.users);
      expect(await countEmails(shop.app.database.db, 'order-changed', orderId)).toBe(1);
      const items =
        shop.fake.state.subscription.get(running.subscriptionId ?? '')?.items.data ?? [];
      expect(items.map(({ quantity }) => quantity)).toEqual(
        made?.backup ? [1, made.users, made.users] : [1, made?.users],
      );
      const pending = [...shop.fake.state.invoiceitem.values()].filter(
        ({ subscription }) => subscription === running.subscriptionId,
      );
      expect(pending).toHaveLength(4 - (made?.backup ? 0 : 1));
    },
  );

  type Paid = Awaited<ReturnType<typeof paid>>;
  const money = {
    refunds: ({ orderId, version }: Paid) => act(orderId, 'refund', { amount: 50, version }),
    ends: ({ orderId, version }: Paid) => act(orderId, 'cancel', { when: 'now', version }),
    'customer’s cancellations': ({ ask, version }: Paid) => ask('cancel', { version }),
  };
  onBoth.each([
    ['refunds', 'refunds'],
    ['refunds', 'ends'],
    ['ends', 'customer’s cancellations'],
  ] as const)('of %s and %s decided on one state at once, one is made', async (one, other) => {
    const placed = await paid();
    slow();
    const answers = await Promise.all([money[one](placed), money[other](placed)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await shop.fake.settled();
  });

  onBoth('what a server that died was changing can be changed again soon', async () => {
    const { orderId, ask } = await paid();
    const { db } = shop.app.database;
    await db
      .insertInto('orderClaims')
      .values({ orderId, until: Date.now() + 60_000 })
      .execute();
    const unchanged = { status: 409, json: { now: { order: { endsAt: null } } } };
    expect(await ask('cancel')).toMatchObject(unchanged);
    await db
      .updateTable('orderClaims')
      .set({ until: Date.now() - 1 })
      .execute();
    expect((await ask('cancel')).status).toBe(200);
    expect(await db.selectFrom('orderClaims').selectAll().execute()).toEqual([]);
  });
});

test('other programs find in the description of the API that a conflict shows the order', async () => {
  const { orderId } = await paid();
  const conflict = await setStatus(orderId, { status: 'pending' });
  expect(conflict).toMatchObject({ status: 409, json: { now: { id: orderId } } });
  expect((await describedFaults(shop.app)).ofRefusal(conflict.json)).toBe('');
});

test('a refund that staff made at Stripe’s dashboard is seen before another is made, although its event is late', async () => {
  const placed = await paid();
  shop.fake.autoDeliver(null);
  shop.fake.refundCharge(paymentOf(placed), 5_000);
  const refused = await act(placed.orderId, 'refund', { amount: 50, version: placed.version });
  expect(refused).toMatchObject({ status: 409, json: { now: { refunded: 50 } } });
});

const byAdmin = (kind: string, detail: string) =>
  expect.objectContaining({ kind, name: 'admin', detail });
const audited = async () => (await shop.staff.move().get('/api/admin/audit')).json.entries;

test.each<[string, object, string | RegExp, string, string, string]>([
  [
    'refund',
    { amount: 50 },
    '/v1/refunds',
    'charge.refunded',
    '$50.00 refunded by admin',
    '$50.00 refunded in all (reported by Stripe)',
  ],
  [
    'cancel',
    { when: 'now' },
    /^\/v1\/subscriptions\/sub_/,
    'customer.subscription.deleted',
    'Ended immediately by admin',
    'reported by Stripe',
  ],
  [
    'cancel',
    { when: 'period-end' },
    /^\/v1\/subscriptions\/sub_/,
    'customer.subscription.updated',
    'Set to end by admin',
    'The subscription ends on',
  ],
])(
  'a press (%s %o) whose answer never came stays what was asked for, beside what Stripe reports',
  async (what, body, path, event, pressed, reported) => {
    const { orderId, version } = await paid();
    shop.fake.autoDeliver(null);
    shop.fake.failNext({ path, how: 'reset-after-execution', times: 99 });
    const asked = { ...body, version };
    expect((await act(orderId, what as 'refund' | 'cancel', asked)).status).toBe(503);
    shop.fake.clearFaults();
    const words = `Asked for, not confirmed: ${pressed}`;
    expect((await textsOf(orderId)).at(-1)).toBe(words);
    await shop.fake.deliver(shop.fake.eventsOf(event).slice(-1), { to: shop.webhook });
    const texts = await textsOf(orderId);
    expect(texts).toContain(words);
    expect(texts.at(-1)).toContain(reported);
    const kind = what === 'refund' ? 'order-refunded' : 'order-ended';
    const detail =
      what === 'refund' ? `${orderReference(orderId)}: $50.00` : orderReference(orderId);
    expect(await audited()).toContainEqual(byAdmin(kind, detail));
  },
);

test('a press has the name that its colleague has today', async () => {
  const { orderId, version } = await paid();
  const { db } = shop.app.database;
  await act(orderId, 'refund', { amount: 50, version });
  await db.updateTable('accounts').set({ name: 'Ada' }).where('name', '=', 'admin').execute();
  expect(await textsOf(orderId)).toContain('$50.00 refunded by Ada');
  await db.updateTable('accounts').set({ name: 'admin' }).where('name', '=', 'Ada').execute();
});

test('a refund that Stripe refuses stays as a press, with its refusal', async () => {
  const { orderId } = await paid();
  shop.fake.failNext({ how: 'status-403', method: 'POST', path: '/v1/refunds' });
  const refused = await act(orderId, 'refund', { amount: 50 });
  expect(refused.status).toBe(409);
  const { text } = refused.json.now.changes.at(-1);
  expect(text).toMatch(/^Refused: \$50\.00 refunded by admin \(.*required permissions/);
});

test('nobody is taken for who refunded: the same sum in the dashboard is Stripe’s own report', async () => {
  const placed = await paid();
  const { orderId, version } = placed;
  const path = '/v1/refunds';
  shop.fake.failNext({ method: 'POST', path, how: 'status-500', times: 9 });
  expect((await act(orderId, 'refund', { amount: 50, version })).status).toBe(503);
  shop.fake.clearFaults();
  shop.fake.autoDeliver(shop.webhook);
  shop.fake.refundCharge(paymentOf(placed), 5_000);
  await shop.fake.settled();
  expect((await textsOf(orderId)).slice(-2)).toEqual([
    'Asked for, not confirmed: $50.00 refunded by admin',
    expect.stringMatching(/^\$50\.00 refunded in all \(reported by Stripe/),
  ]);
});

test('whoever repeats a colleague’s refund that was never made stands in the history for it', async () => {
  const { orderId, version } = await paid();
  const path = '/v1/refunds';
  shop.fake.failNext({ method: 'POST', path, how: 'status-500', times: 9 });
  expect((await act(orderId, 'refund', { amount: 50, version })).status).toBe(503);
  shop.fake.clearFaults();
  const ben = await colleague(shop.app, 'Ben');
  const refund = { amount: 50, version };
  const again = await ben.post(`/api/admin/orders/${orderId}/refund`, refund);
  expect(again.json.refunded).toBe(50);
  expect(await textsOf(orderId)).toEqual(
    expect.arrayContaining([
      'Asked for, not confirmed: $50.00 refunded by admin',
      '$50.00 refunded by Ben',
    ]),
  );
});

test('what release 1.0 stored of a person’s acts is read as what was pressed', async () => {
  const { orderId } = await paid();
  const { db } = shop.app.database;
  const by = JSON.stringify({ is: 'staff', account: 0, name: 'Ann' });
  const insert = (kind: string, data: object, causeId: number | null = null) =>
    sql<{
      id: number;
    }>`insert into "orderEvents" ("orderId", "at", "kind", "data", "actor", "causeId") values (${orderId}, ${Date.now()}, ${kind}, ${JSON.stringify(data)}, ${by}, ${causeId}) returning "id"`.execute(
      db,
    );
  const refund = { act: { kind: 'refund-made', amount: 4_000 }, once: null };
  const { rows } = await insert('begun', refund);
  await insert('refund-made', { amount: 4_000 }, rows[0]?.id);
  await insert('begun', { act: { kind: 'end-made' }, once: null });
  await insert('marked-paid', { invoice: 'in_1', number: 'T-1' });
  expect((await textsOf(orderId)).slice(-3)).toEqual([
    '$40.00 refunded by Former colleague',
    'Asked for, not confirmed: Ended immediately by Former colleague',
    'Invoice T-1 marked as paid outside by Former colleague',
  ]);
});
