/** What staff or a customer decided on an order that has changed since is refused with the order as it is now. */

import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { refundedOf } from '../../../src/billing/billed-order.server.ts';
import { getOrder } from '../../../src/billing/order-store.server.ts';
import { planOptions } from '../../../src/billing/subscription.ts';
import { priceLinesOf } from '../../../src/catalogue/pricing.ts';
import { describedFaults } from '../../support/answer-faults.ts';
import { customer, linkOf, shownPrice, TEN_USERS } from '../../support/own-page.ts';
import {
  countEmails,
  order,
  paidOrder,
  sharedShop,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

const app = sharedTestApp();
const shop = sharedShop(WITH_MAIL);
const CARD = '4242424242424242';

interface Placed {
  orderId: number;
  visitor: Visitor;
  pay(): Promise<unknown>;
}

describe.each(['the test gateway', 'Stripe'])('with %s', (name) => {
  const isStripe = name === 'Stripe';
  let staff: Visitor;
  const site = (): TestApp => (isStripe ? shop.app : app);
  beforeAll(async () => {
    staff = await site().staff();
    shop.fake.autoDeliver(shop.webhook);
  });

  async function unpaid(): Promise<Placed> {
    if (isStripe) {
      const placed = await order(shop);
      const pay = async () => {
        shop.fake.confirmCard(placed.clientSecret, CARD);
        await shop.fake.settled();
      };
      return { ...placed, pay };
    }
    const visitor = app.visitor();
    const { json } = await visitor.post('/api/create-payment-intent', TEN_USERS);
    const confirm = { clientSecret: json.clientSecret, token: 'succeeds' };
    return {
      visitor,
      orderId: json.orderId,
      pay: () => visitor.post('/api/test-payments/confirm', confirm),
    };
  }

  const paid = () => (isStripe ? paidOrder(shop) : customer(app));
  const row = ({ orderId }: { orderId: number }) => getOrder(site().database.db, { id: orderId });
  const act = (orderId: number, what: string, body: object) =>
    staff.post(`/api/admin/orders/${orderId}/${what}`, body);

  test.each([
    ['end', (id: number, version: number) => act(id, 'cancel', { when: 'now', version })],
    [
      'cancel',
      (id: number, version: number) =>
        staff.post(`/api/orders/${id}/update-status`, { status: 'canceled', version }),
    ],
  ])(
    'staff who %s an order that its customer has just paid change nothing',
    async (_verb, decide) => {
      const placed = await unpaid();
      const { version } = await row(placed);
      await placed.pay();
      const refused = await decide(placed.orderId, version);
      expect(refused.status).toBe(409);
      expect(refused.json.message).toContain('The customer has paid in the meantime');
      expect(refused.json.now).toMatchObject({ id: placed.orderId, status: 'paid' });
      expect((await row(placed)).status).toBe('paid');
    },
  );

  test('a refund whose answer was lost is not made a second time with another amount', async () => {
    const placed = await paid();
    const { version } = await row(placed);
    expect((await act(placed.orderId, 'refund', { amount: 50, version })).json.refunded).toBe(50);
    const again = await act(placed.orderId, 'refund', { amount: 60, version });
    expect(again).toMatchObject({ status: 409, json: { now: { refunded: 50 } } });
    const next = { amount: 60, version: again.json.now.version };
    expect((await act(placed.orderId, 'refund', next)).json.refunded).toBe(110);
  });

  test('two refunds that were decided on the same order at once give back one of them', async () => {
    const placed = await paid();
    const { version } = await row(placed);
    const [one, other] = await Promise.all(
      [50, 60].map((amount) => act(placed.orderId, 'refund', { amount, version })),
    );
    expect([one?.status, other?.status].sort()).toEqual([200, 409]);
    expect([50, 60]).toContain(refundedOf(await row(placed)) / 100);
  });

  test('staff who end a paid order read that this gave nothing back', async () => {
    const placed = await paid();
    const { version } = await row(placed);
    const { json } = await act(placed.orderId, 'cancel', { when: 'now', version });
    expect(json.changes.at(-1).text).toBe('This end refunded nothing');
  });

  test('a customer whose page is older can neither cancel nor change the plan', async () => {
    const placed = await paid();
    const { version } = await row(placed);
    const { token } = await linkOf(site(), placed.orderId);
    await act(placed.orderId, 'cancel', { when: 'period-end', version });
    for (const [call, body] of [
      ['cancel', {}],
      ['keep', {}],
      ['card/use', { clientSecret: 'secret' }],
    ] as const) {
      const answered = await placed.visitor.post(`/api/order-page/${call}`, {
        token,
        version,
        ...body,
      });
      expect(answered.status).toBe(409);
      expect(answered.json.now.order.endsAt).not.toBeNull();
    }
  });
});

describe('while Stripe is slow', () => {
  const slow = () => shop.fake.failNext({ how: 'slow', ms: 300, method: 'POST', times: 4 });
  afterEach(() => shop.fake.clearFaults());

  test('two tabs that confirm two changes of the plan at once make one, with one email and one proration', async () => {
    const placed = await paidOrder(shop);
    const { token } = await linkOf(shop.app, placed.orderId);
    const ask = (what: string, body: object) =>
      placed.visitor.post(`/api/order-page/${what}`, { token, ...body });
    const from = { users: 20, backup: true };
    const { version } = await getOrder(shop.app.database.db, { id: placed.orderId });
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
    expect(refused?.json.now.order).toMatchObject({ id: placed.orderId });
    const made = wanted[answers.findIndex(({ status }) => status === 200)];
    await shop.fake.settled();
    const { subscription: running } = await getOrder(shop.app.database.db, { id: placed.orderId });
    expect(planOptions(priceLinesOf(running)).users).toBe(made?.users);
    expect(await countEmails(shop.app.database.db, 'order-changed', placed.orderId)).toBe(1);
    const items = shop.fake.state.subscription.get(running.subscriptionId ?? '')?.items.data ?? [];
    expect(items.map(({ quantity }) => quantity)).toEqual(
      made?.backup ? [1, made.users, made.users] : [1, made?.users],
    );
    const pending = [...shop.fake.state.invoiceitem.values()].filter(
      ({ subscription }) => subscription === running.subscriptionId,
    );
    expect(pending).toHaveLength(4 - (made?.backup ? 0 : 1));
  });

  const money: [string, (placed: Placed, version: number) => Promise<{ status: number }>][] = [
    [
      'refunds',
      ({ orderId }, version) =>
        shop.staff.post(`/api/admin/orders/${orderId}/refund`, { amount: 50, version }),
    ],
    [
      'ends',
      ({ orderId }, version) =>
        shop.staff.post(`/api/admin/orders/${orderId}/cancel`, { when: 'now', version }),
    ],
    [
      'customer’s cancellations',
      async ({ orderId, visitor }, version) => {
        const { token } = await linkOf(shop.app, orderId);
        return visitor.post('/api/order-page/cancel', { token, version });
      },
    ],
  ];
  test.each(
    money.flatMap(([one, first], index) =>
      money.slice(index).map(([other, second]) => [one, other, first, second] as const),
    ),
  )(
    'of %s and %s decided on one state at once, one is made',
    async (_one, _other, first, second) => {
      const placed = { ...(await paidOrder(shop)), pay: async () => undefined };
      const { version } = await getOrder(shop.app.database.db, { id: placed.orderId });
      slow();
      const answers = await Promise.all([first(placed, version), second(placed, version)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      await shop.fake.settled();
    },
  );

  test('what a server that died was changing can be changed again soon', async () => {
    const placed = await paidOrder(shop);
    const { token } = await linkOf(shop.app, placed.orderId);
    const { db } = shop.app.database;
    const end = () => placed.visitor.post('/api/order-page/cancel', { token });
    await db
      .insertInto('orderClaims')
      .values({ orderId: placed.orderId, until: Date.now() + 60_000 })
      .execute();
    expect(await end()).toMatchObject({ status: 409, json: { now: { order: { endsAt: null } } } });
    await db
      .updateTable('orderClaims')
      .set({ until: Date.now() - 1 })
      .execute();
    expect((await end()).status).toBe(200);
    expect(await db.selectFrom('orderClaims').selectAll().execute()).toEqual([]);
  });
});

test('of ten rival changes of one order’s status, one wins and the others read the state', async () => {
  const placed = await order(shop);
  const path = `/api/orders/${placed.orderId}/update-status`;
  const rivals = Array.from({ length: 10 }, (_, index) => (index % 2 ? 'failed' : 'canceled'));
  const answers = await Promise.all(
    rivals.map((status) => shop.staff.move().post(path, { status })),
  );
  const { status: won } = await getOrder(shop.app.database.db, { id: placed.orderId });
  // Who wanted the same and came later changes nothing.
  for (const [index, { status, json }] of answers.entries())
    expect([rivals[index], status, (status === 200 ? json : json.now).id]).toEqual([
      rivals[index],
      rivals[index] === won ? expect.toBeOneOf([200, 409]) : 409,
      placed.orderId,
    ]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
});

test('other programs find in the description of the API that a conflict shows the order', async () => {
  const { orderId } = await paidOrder(shop);
  const path = `/api/orders/${orderId}/update-status`;
  const conflict = await shop.staff.move().post(path, { status: 'pending' });
  expect(conflict).toMatchObject({ status: 409, json: { now: { id: orderId } } });
  expect((await describedFaults(shop.app)).ofRefusal(conflict.json)).toBe('');
});

test.each([
  ['cancel', (id: number) => `/api/orders/${id}/update-status`, { status: 'canceled' }],
  ['end', (id: number) => `/api/admin/orders/${id}/cancel`, { when: 'now' }],
])('staff who know no version cannot %s what has been paid', async (_what, path, body) => {
  const { orderId } = await paidOrder(shop);
  const refused = await shop.staff.move().post(path(orderId), body);
  expect(refused).toMatchObject({ status: 409, json: { now: { id: orderId, status: 'paid' } } });
});

test('a refund that staff made at Stripe’s dashboard is seen before another is made, although its event is late', async () => {
  const placed = await paidOrder(shop);
  const staff = await shop.app.staff();
  const { version } = await getOrder(shop.app.database.db, { id: placed.orderId });
  await subscriptionOf(shop, placed);
  shop.fake.autoDeliver(null);
  shop.fake.refundCharge(placed.clientSecret.split('_secret_')[0] ?? '', 5_000);
  const path = `/api/admin/orders/${placed.orderId}/refund`;
  const refused = await staff.post(path, { amount: 50, version });
  expect(refused).toMatchObject({ status: 409, json: { now: { refunded: 50 } } });
});

test('a refund whose answer never came names who made it once Stripe reports it, also under a new name', async () => {
  shop.fake.autoDeliver(shop.webhook);
  const { orderId } = await paidOrder(shop);
  const { db } = shop.app.database;
  const staff = await shop.app.staff();
  const { version } = await getOrder(db, { id: orderId });
  const texts = async () =>
    (await staff.move().get(`/api/orders/${orderId}`)).json.changes.map(
      ({ text }: { text: string }) => text,
    );
  shop.fake.autoDeliver(null);
  const path = '/v1/refunds';
  shop.fake.failNext({ method: 'POST', path, how: 'reset-after-execution', times: 9 });
  const refund = { amount: 50, version };
  expect((await staff.post(`/api/admin/orders/${orderId}/refund`, refund)).status).toBe(503);
  shop.fake.clearFaults();
  expect((await texts()).at(-1)).toBe('Not confirmed: $50.00 refunded by admin');
  await shop.fake.deliver(shop.fake.eventsOf('charge.refunded').slice(-1), { to: shop.webhook });
  expect((await texts()).at(-1)).toBe('$50.00 refunded by admin');
  expect((await staff.move().get('/api/admin/audit')).json.entries).toContainEqual(
    expect.objectContaining({ kind: 'order-refunded', detail: `O-${orderId}: $50.00` }),
  );
  await db.updateTable('accounts').set({ name: 'Ada' }).where('name', '=', 'admin').execute();
  expect((await texts()).at(-1)).toBe('$50.00 refunded by Ada');
  await db.updateTable('accounts').set({ name: 'admin' }).where('name', '=', 'Ada').execute();
});

test.each([
  [
    'at once',
    'cancel',
    { when: 'now' },
    'customer.subscription.deleted',
    'Ended immediately by admin',
  ],
  [
    'with the month',
    'cancel',
    { when: 'period-end' },
    'customer.subscription.updated',
    'Set to end with the paid month by admin',
  ],
] as const)(
  'an end %s whose answer never came names who made it once Stripe reports it',
  async (_when, call, body, event, words) => {
    shop.fake.autoDeliver(shop.webhook);
    const { orderId } = await paidOrder(shop);
    const { version } = await getOrder(shop.app.database.db, { id: orderId });
    shop.fake.autoDeliver(null);
    const path = /^\/v1\/subscriptions\/sub_/;
    shop.fake.failNext({ path, how: 'reset-after-execution', times: 99 });
    const staff = await shop.app.staff();
    const asked = await staff.post(`/api/admin/orders/${orderId}/${call}`, { ...body, version });
    shop.fake.clearFaults();
    expect(asked.status).toBe(503);
    await shop.fake.deliver(shop.fake.eventsOf(event).slice(-1), { to: shop.webhook });
    const { changes } = (await staff.move().get(`/api/orders/${orderId}`)).json;
    const texts = changes.map(({ text }: { text: string }) => text);
    expect(texts.at(-1)).toContain(words);
    expect(texts.join()).not.toContain('Not confirmed');
    expect((await staff.move().get('/api/admin/audit')).json.entries).toContainEqual(
      expect.objectContaining({ kind: 'order-ended', name: 'admin', detail: `O-${orderId}` }),
    );
  },
);

test('a refund that Stripe refuses leaves no trace', async () => {
  shop.fake.autoDeliver(shop.webhook);
  const { orderId } = await paidOrder(shop);
  const refused = await shop.staff
    .move()
    .post(`/api/admin/orders/${orderId}/refund`, { amount: 9_999 });
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.json.now.changes)).not.toContain('9,999');
});
