/** Whose an event is: by its mark, by the ids that it names, or as Stripe says when it is asked. */
import { beforeEach, describe, expect, test } from 'vitest';
import { logged } from '../../../../tests/support/logged.ts';
import { newOrders } from '../../../../tests/support/order-at-stripe.ts';
import { order, rowOf, sharedShop } from '../../../../tests/support/stripe-shop.ts';
import { eventsIn, openStage, VERSION } from '../../../../tests/support/stripe-stage.ts';
import type { NewRow, Row } from '../../../platform/database/tables.server.ts';
import { cents } from '../../../platform/money.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const stage = (change?: Partial<NewRow<'orders'>>) => openStage(shop, newOrder, change);
const events = () => eventsIn(shop);
beforeEach(async () => {
  await shop.app.database.db.deleteFrom('stripeEvents').execute();
});

/** An order that Stripe knows as well, paid for two months. */
async function knownAtStripe() {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  const { db } = shop.app.database;
  await db.updateTable('orders').set({ status: 'paid' }).where('id', '=', placed.orderId).execute();
  const row = await rowOf(shop, placed.orderId);
  shop.fake.renew(row.subscriptionId ?? '', { pay: true });
  const first = [...shop.fake.state.invoice.values()].find(
    ({ parent }) => parent?.subscription_details?.subscription === row.subscriptionId,
  );
  const charge = [...shop.fake.state.charge.values()].at(-1);
  const known = await openStage(shop, async () => row);
  return { ...known, first, later: { ...charge } };
}

describe('by the mark in its metadata', () => {
  const marked = (metadata: object) => ({ id: 'sub_other', status: 'active', metadata });
  const seen = async (metadata: (row: Row<'orders'>) => object) => {
    const { row, hear } = await stage();
    await hear('customer.subscription.updated', marked(metadata(row)));
    return (await events())[0]?.orderId === row.id;
  };

  test('it is the order of that number, when it was placed at that time', async () => {
    expect(await seen(({ id }) => ({ orderId: `${id}` }))).toBe(true);
  });

  test('and of that time', async () => {
    expect(
      await seen(({ id, createdAt }) => ({ orderId: `${id}`, orderedAt: `${createdAt}` })),
    ).toBe(true);
  });

  test('but not of another time', async () => {
    expect(await seen(({ id }) => ({ orderId: `${id}`, orderedAt: '5' }))).toBe(false);
  });

  test('nor of another number', async () => {
    expect(await seen(({ id }) => ({ orderId: `${id + 500}` }))).toBe(false);
  });
});

describe('without a mark', () => {
  test('it is the order of its subscription, also when the mark is no number', async () => {
    for (const metadata of [null, { orderId: 'x' }]) {
      const { row, followed, hear, subscription } = await stage();
      await hear(
        'customer.subscription.updated',
        { ...subscription, metadata },
        { id: `evt_${row.id}` },
      );
      expect(followed()).toMatchObject([{ orderId: row.id }]);
    }
  });

  test('it is the order of its payment', async () => {
    const { row, followed, hear } = await stage();
    const intent = { id: row.paymentId, amount: 119_900, currency: 'usd', status: 'processing' };
    await hear('payment_intent.processing', intent);
    expect(followed()).toMatchObject([{ orderId: row.id }]);
  });

  test('it is the order of a charge that was heard of before', async () => {
    const { row, followed, hear, charge } = await stage();
    const heardOf = { id: charge.id, orderId: row.id, amountCents: 119_900, refundedCents: 1 };
    await shop.app.database.db.insertInto('orderCharges').values(heardOf).execute();
    await hear('charge.refunded', { ...charge, payment_intent: 'pi_other' });
    expect(followed()).toMatchObject([{ orderId: row.id }]);
  });

  test('nor an id that is known, it is nobody’s', async () => {
    const { followed, hear, charge } = await stage();
    const before = shop.fake.requests.length;
    await hear('charge.refunded', { ...charge, payment_intent: null });
    const intent = { id: 'pi_other', amount: 1, currency: 'usd', status: 'processing' };
    await hear('payment_intent.processing', intent, { id: 'evt_2' });
    expect(shop.fake.requests.length).toBe(before);
    expect(followed()).toEqual([]);
    expect((await events()).map(({ orderId }) => orderId)).toEqual([null, null]);
  });
});

describe('the payment of a later month', () => {
  test('belongs to the order of its subscription, which Stripe is asked for', async () => {
    const { row, followed, hear, later } = await knownAtStripe();
    await hear('charge.refunded', later);
    expect(followed()).toMatchObject([{ orderId: row.id }]);
  });

  test('waits while Stripe does not say', async () => {
    const { followed, notes, hear, later } = await knownAtStripe();
    shop.fake.failNext({ how: 'status-500-kept', path: '/v1/invoice_payments', times: 9 });
    const lines = await logged(() => hear('charge.refunded', later));
    shop.fake.clearFaults();
    expect(lines).toMatchObject([
      { event: 'stripe-failed', during: 'whose-charge' },
      { event: 'stripe-event-set-aside', why: 'Stripe cannot be asked whose it is', orderId: null },
    ]);
    expect(await events()).toMatchObject([{ orderId: null, settled: 0 }]);
    expect([followed(), await notes()]).toEqual([[], []]);
  });

  test.each([
    ['that Stripe does not know', []],
    ['whose bill is not shown', [{ invoice: 'in_1' }]],
    ['whose bill is deleted', [{ invoice: { id: 'in_1', deleted: true } }]],
    ['of no subscription', [{ invoice: { id: 'in_1', parent: null } }]],
    ['of nothing', [{ invoice: { id: 'in_1', parent: { subscription_details: null } } }]],
  ])('%s is nobody’s', async (_what, data) => {
    const { stripe, followed, hear, charge } = await stage();
    Object.assign(stripe.invoicePayments, { list: async () => ({ data }) });
    await hear('charge.refunded', { ...charge, payment_intent: 'pi_other' });
    expect(followed()).toEqual([]);
    expect(await events()).toMatchObject([{ orderId: null, settled: 1 }]);
  });
});

describe('an order whose start was never answered', () => {
  const lost = { subscriptionId: null, paymentId: null };
  const started = {
    paymentId: 'pi_found',
    clientSecret: 'pi_found_secret_x',
    customerId: 'cus_1',
    subscriptionId: 'sub_found',
    due: cents(119_900),
  };
  const of = ({ id }: Row<'orders'>) => ({
    parent: { subscription_details: { subscription: 'sub_found', metadata: { orderId: `${id}` } } },
  });

  test('is looked for at Stripe', async () => {
    const { row, now, followed, find, hear, invoice } = await stage(lost);
    find.mockResolvedValue(started);
    await hear('invoice.paid', { ...invoice, ...of(row) });
    expect(find).toHaveBeenCalledWith(row);
    const { due, ...ids } = started;
    expect(await now()).toMatchObject({ ...ids, dueCents: due });
    expect(followed()).toMatchObject([{ orderId: row.id, state: { status: 'succeeded' } }]);
  });

  test('waits while Stripe does not say', async () => {
    const { row, followed, find, hear, invoice } = await stage(lost);
    find.mockResolvedValue('away');
    await hear('invoice.paid', { ...invoice, ...of(row) });
    expect(followed()).toEqual([]);
    expect(await events()).toMatchObject([{ orderId: null, settled: 0 }]);
  });

  test('is not looked for when it is the test gateway’s', async () => {
    const { row, find, notes, hear, invoice } = await stage({ ...lost, provider: 'test' });
    await hear('invoice.paid', { ...invoice, ...of(row) });
    expect(find).not.toHaveBeenCalled();
    expect(await notes()).toHaveLength(1);
  });
});

describe('a bill in an event that was asked for', () => {
  const older = { signed: false, api_version: '2024-06-20' };
  const nameless = { parent: null };

  test('in an older version is read in ours', async () => {
    const { row, followed, hear, first } = await knownAtStripe();
    await hear('invoice.paid', { ...first, ...nameless }, older);
    expect(followed()).toMatchObject([{ orderId: row.id }]);
  });

  test('in our version is believed as it is, as is what came signed, and what is no bill', async () => {
    const { followed, hear, first, subscription } = await knownAtStripe();
    const before = shop.fake.requests.length;
    await hear('invoice.paid', { ...first, ...nameless }, { ...older, api_version: VERSION });
    await hear('invoice.paid', { ...first, ...nameless }, { ...older, signed: true, id: 'evt_2' });
    await hear('invoice.paid', { ...first, ...nameless, id: '' }, { ...older, id: 'evt_3' });
    expect(followed()).toEqual([]);
    const other = { ...subscription, object: 'subscription' };
    await hear('customer.subscription.updated', other, { ...older, id: 'evt_4' });
    expect(followed()).toHaveLength(1);
    expect(shop.fake.requests.length).toBe(before);
  });

  test('waits while Stripe does not show it', async () => {
    const { hear, first } = await knownAtStripe();
    shop.fake.failNext({ how: 'status-500-kept', path: /^\/v1\/invoices\//, times: 9 });
    const lines = await logged(() => hear('invoice.paid', { ...first, ...nameless }, older));
    shop.fake.clearFaults();
    expect(lines).toMatchObject([{ event: 'stripe-failed', during: 'read-invoice' }]);
    expect(await events()).toMatchObject([{ orderId: null, settled: 0, signed: 0 }]);
  });
});

describe('an event from which nothing follows is acknowledged', () => {
  test('silently, when its type is of no interest', async () => {
    const { hear } = await stage();
    expect(await logged(() => hear('coupon.created', {}))).toEqual([]);
    expect(await events()).toMatchObject([{ type: 'coupon.created', orderId: null, settled: 1 }]);
  });

  test('with a line for operators, when it cannot be read', async () => {
    const { hear } = await stage();
    const [line, ...more] = await logged(() => hear('invoice.paid', { odd: true }));
    expect(more).toEqual([]);
    expect(line).toMatchObject({ level: 'info', event: 'stripe-event-set-aside' });
    expect(line?.why).toMatch(/^it cannot be read: .*at amount_due/s);
  });

  test('but a bug of ours is thrown on', async () => {
    const { hear } = await stage();
    const broken = {
      get id(): string {
        throw new TypeError('ours');
      },
    };
    await expect(hear('charge.refunded', broken)).rejects.toThrow('ours');
    expect(await events()).toEqual([]);
  });
});
