/** Where an order stands follows from all that was ever heard of its bills, in whatever order it was heard. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  bill,
  billed,
  charge,
  charged,
  followedOrder,
  inAnyOrder,
  JANUARY,
  MONTH_MS,
} from '../../tests/support/payment-facts.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { cents } from '../platform/money.ts';
import { followNow } from './follow-payment.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
const placed = () => followedOrder(app);

describe('a bill', () => {
  test('that is paid makes the order paid, and notifies once', async () => {
    const order = await placed();
    const first = billed(bill(0));
    expect(await order.hear(first, first)).toMatchObject({ status: 'paid', notes: [] });
    expect(order.notified).toEqual(['order-paid']);
  });

  test('of a later month is noted with its sum and brings a receipt, once', async () => {
    const order = await placed();
    const later = billed(bill(1, { amount: cents(482_25) }));
    const { notes } = await order.hear(billed(bill(0)), later, later);
    expect(notes).toEqual(['Renewed: $482.25 (test)']);
    expect(order.notified).toEqual(['order-paid', 'order-renewed']);
  });

  test.each(['itself', 'a later one'])(
    'that stays unpaid makes the order past due until %s is paid',
    async (what) => {
      const order = await placed();
      const unpaid = bill(1, { paid: false });
      const late = await order.hear(billed(bill(0)), billed(unpaid), billed(unpaid));
      expect(late.status).toBe('past_due');
      const next = what === 'itself' ? { ...unpaid, paid: true } : bill(2);
      expect((await order.hear(billed(next))).status).toBe('paid');
      expect(order.notified).toEqual(['order-paid', 'order-renewal-failed', 'order-renewed']);
    },
  );

  test('that stays unpaid counts, also when an earlier one is paid after it', async () => {
    for (const facts of inAnyOrder(() =>
      [bill(0), bill(2, { paid: false }), bill(1)].map((each) => billed(each)),
    )) {
      expect((await (await placed()).hear(...facts)).status).toBe('past_due');
    }
  });

  test('that is no longer asked for is not overdue, heard before it or after', async () => {
    const make = () => {
      const unpaid = bill(1, { paid: false });
      return [billed(bill(0)), billed(unpaid), billed({ ...unpaid, waived: true })];
    };
    for (const facts of inAnyOrder(make)) {
      expect((await (await placed()).hear(...facts)).status).toBe('paid');
    }
  });

  test('that is paid stays paid, whatever is heard of it later', async () => {
    const make = () => {
      const paid = bill(1);
      return [billed(bill(0)), billed(paid), billed({ ...paid, paid: false, amount: cents(0) })];
    };
    for (const facts of inAnyOrder(make)) {
      expect((await (await placed()).hear(...facts)).status).toBe('paid');
    }
  });

  test.each([
    ['canceled', { ended: true }],
    ['refunded', charged(charge({ dispute: 'lost' }))],
  ])(
    'that is paid after the order is %s does not bring it back, and staff and customer are notified',
    async (status, fact) => {
      const order = await placed();
      await order.hear(billed(bill(0)), fact);
      const after = await order.hear(billed(bill(1)));
      expect(after.status).toBe(status);
      const note = `$450.00 was taken although the order is ${status} (test)`;
      expect(after.notes.at(-1)).toBe(note);
      expect(order.notified.filter((kind) => kind === 'order-paid-after-end')).toHaveLength(1);
    },
  );

  test('that is made at the moment of one that was paid is overdue while it is not', async () => {
    const order = await placed();
    expect((await order.hear(billed(bill(0), bill(0, { paid: false })))).status).toBe('past_due');
  });
});

describe('the end of a subscription', () => {
  const END = JANUARY + MONTH_MS;

  test('that is decided notifies and is noted with its day, and may be taken back', async () => {
    const order = await placed();
    await order.hear(billed(bill(0)));
    expect(await order.hear({ endsAt: END }, { endsAt: END }, {})).toMatchObject({
      status: 'paid',
      endsAt: '2026-02-15T00:00:00.000Z',
      notes: ['The subscription ends on 2026-02-15'],
    });
    const { endsAt, notes } = await order.hear({ endsAt: null });
    expect([endsAt, notes.at(-1)]).toEqual([null, 'The subscription goes on']);
    expect(order.notified).toEqual(['order-paid', 'order-ending', 'order-ending']);
  });

  test('cancels a paid order and notifies of it; an order that was never paid ends in silence', async () => {
    const [paid, unpaid] = [await placed(), await placed()];
    expect((await paid.hear(billed(bill(0)), { ended: true })).status).toBe('canceled');
    expect((await unpaid.hear({ ended: true, endsAt: END })).status).toBe('canceled');
    expect([paid.notified, unpaid.notified]).toEqual([['order-paid', 'order-ended'], []]);
  });

  test('is kept, so that nothing is asked to end once more', async () => {
    const order = await placed();
    expect((await order.hear(billed(bill(0)))).ended).toBe(false);
    expect((await order.hear({ ended: true })).ended).toBe(true);
  });
});

describe('a first payment', () => {
  test.each([
    ['is being asked for', { status: 'requires_action' }, ['processing']],
    ['is under way', { status: 'processing' }, ['processing']],
    ['was refused', { status: 'requires_payment_method', refused: true }, ['failed']],
    ['was never tried', { status: 'requires_payment_method' }, []],
    ['was given up', { status: 'canceled' }, ['canceled']],
    ['has come', { status: 'succeeded' }, ['paid']],
  ] as const)('that %s leads the order there', async (_what, fact, way) => {
    expect((await (await placed()).hear(fact)).way).toEqual(['pending', ...way]);
  });

  test.each([
    ['comes', { status: 'succeeded' }, 'paid'],
    ['is given up', { status: 'canceled' }, 'canceled'],
  ] as const)('that %s after a refusal passes through processing', async (_what, fact, end) => {
    const refused = { status: 'requires_payment_method', refused: true } as const;
    const { way } = await (await placed()).hear(refused, refused, fact);
    expect(way).toEqual(['pending', 'failed', 'processing', end]);
  });

  test('is told of with its remarks, each once', async () => {
    const notes = ['Paid by bank transfer', 'Paid in two parts'];
    for (const order of [await placed(), await placed()]) {
      expect((await order.hear({ notes }, { notes })).notes).toEqual(notes);
    }
  });
});

test('an answer of the provider that was asked for earlier and comes later sets nothing back', async () => {
  const { db } = app.database;
  const order = await savedOrder(db, { status: 'paid', subscriptionId: 'sub_look' });
  const gateway = standInGateway();
  const notify = vi.fn();
  const deps = { db, gateway, notify };
  const paid = { status: 'succeeded', refused: false } as const;
  const endsAt = Date.UTC(2027, 0, 1);
  gateway.fetchPaymentState.mockResolvedValue({ ...paid, endsAt });
  gateway.fetchPaymentState.mockImplementationOnce(async () => {
    await followNow(deps, order, 'the customer cancels');
    return { ...paid, endsAt: null };
  });
  expect(await followNow(deps, order, 'an earlier look')).toMatchObject({ endsAt });
  expect(notify.mock.calls.map(([, kind]) => kind.kind)).toEqual(['order-ending']);
});
