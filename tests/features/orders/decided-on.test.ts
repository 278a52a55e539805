/** What staff or a customer decided on an order that has changed since is refused with the order as it is now. */
import { beforeAll, describe, expect, test } from 'vitest';
import { getOrder } from '../../../src/orders/order-store.server.ts';
import { customer, linkOf, TEN_USERS } from '../../support/own-page.ts';
import { order, paidOrder, sharedShop, subscriptionOf } from '../../support/stripe-shop.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

const app = sharedTestApp();
const shop = sharedShop();
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
    expect([50, 60]).toContain((await row(placed)).refundedCents / 100);
  });

  test('staff who end a paid order read that this gave nothing back', async () => {
    const placed = await paid();
    const { json } = await act(placed.orderId, 'cancel', { when: 'now' });
    expect(json.changes.at(-1).text).toBe('This end refunded nothing');
  });

  test('a customer whose page is older can neither cancel nor change the plan', async () => {
    const placed = await paid();
    const { version } = await row(placed);
    const { token } = await linkOf(site(), placed.orderId);
    await act(placed.orderId, 'cancel', { when: 'period-end' });
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
