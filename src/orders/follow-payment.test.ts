/** Where an order stands follows from all that the provider ever said of it, in whatever order it came. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { permutations } from '../../tests/support/permutations.ts';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { NOTHING_TRIED, standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { cents } from '../platform/money.ts';
import { followNow, followPayment } from './follow-payment.server.ts';
import type { BilledInvoice, PaymentState, ReversedCharge } from './gateway.server.ts';
import { getOrder, readHistory } from './order-store.server.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

type Fact = Partial<PaymentState>;

/** A pending order that follows one fact after the other, each in a transaction of its own. */
async function pendingOrder() {
  const { db } = app.database;
  const order = await savedOrder(db);
  const notified: string[] = [];
  const notify = async (_trx: unknown, { kind }: { kind: string }) => {
    notified.push(kind.replace('order-', ''));
  };
  async function follow(...facts: Fact[]) {
    for (const fact of facts)
      await db.transaction().execute((trx) => {
        const state = { ...NOTHING_TRIED, ...fact };
        return followPayment({ db: trx, notify }, order.id, state, 'test');
      });
    const { history, notes } = await readHistory(db, order.id);
    return {
      ...(await getOrder(db, order)),
      way: history.map(({ status }) => status).join(' '),
      notes: notes.map(({ note }) => note),
    };
  }
  return { follow, notified };
}

/** The order in each order in which these facts may come; they are made afresh each time. */
async function inAnyOrder(make: () => Fact[]) {
  const ends = [];
  for (const way of permutations(make().map((_, index) => index))) {
    const facts = make();
    const { follow, notified } = await pendingOrder();
    ends.push({ ...(await follow(...way.map((index) => facts[index] ?? {}))), notified });
  }
  return ends;
}

const JANUARY = Date.UTC(2026, 0, 15);
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

/** The bill of the month; the first comes with the order. */
function bill(month: number, change: Partial<BilledInvoice> = {}): BilledInvoice {
  const createdAt = JANUARY + month * MONTH_MS;
  const paid = { amount: cents(450_00), paid: true, renewal: month > 0 };
  return { id: randomUUID(), createdAt, ...paid, ...change };
}

function charge(change: Partial<ReversedCharge> = {}): ReversedCharge {
  return { id: randomUUID(), amount: cents(450_00), refunded: cents(0), ...change };
}

const billed = (...invoices: BilledInvoice[]) => ({ invoices });
const charged = (...charges: ReversedCharge[]) => ({ charges });
const ALL = cents(450_00);

describe('a bill', () => {
  test('that is paid makes the order paid, and notifies once', async () => {
    const { follow, notified } = await pendingOrder();
    const first = billed(bill(0));
    expect(await follow(first, first)).toMatchObject({ status: 'paid', notes: [] });
    expect(notified).toEqual(['paid']);
  });

  test('of a later month is noted with its sum and brings a receipt, once', async () => {
    const { follow, notified } = await pendingOrder();
    const later = billed(bill(1, { amount: cents(482_25) }));
    const { notes } = await follow(billed(bill(0)), later, later);
    expect(notes).toEqual(['Renewed: $482.25 (test)']);
    expect(notified).toEqual(['paid', 'renewed']);
  });

  test.each(['itself', 'a later one'])(
    'that stays unpaid makes the order past due until %s is paid',
    async (what) => {
      const { follow, notified } = await pendingOrder();
      const unpaid = bill(1, { paid: false });
      const late = await follow(billed(bill(0)), billed(unpaid), billed(unpaid));
      expect(late.status).toBe('past_due');
      const next = what === 'itself' ? { ...unpaid, paid: true } : bill(2);
      expect((await follow(billed(next))).status).toBe('paid');
      expect(notified).toEqual(['paid', 'renewal-failed', 'renewed']);
    },
  );

  test.each<[string, () => Fact[], string]>([
    [
      'that stays unpaid counts, also when an earlier one is paid after it',
      () => [bill(0), bill(2, { paid: false }), bill(1)].map((each) => billed(each)),
      'past_due',
    ],
    [
      'that is no longer due is not overdue',
      () => {
        const unpaid = bill(1, { paid: false });
        return [billed(bill(0)), billed(unpaid), billed({ ...unpaid, waived: true })];
      },
      'paid',
    ],
    [
      'that is paid stays paid, whatever is said of it later',
      () => {
        const paid = bill(1);
        return [billed(bill(0)), billed(paid), billed({ ...paid, paid: false, amount: cents(0) })];
      },
      'paid',
    ],
  ])('%s, in any order', async (_what, make, status) => {
    for (const end of await inAnyOrder(make)) expect(end.status).toBe(status);
  });

  test.each([
    ['canceled', { ended: true }],
    ['refunded', charged(charge({ dispute: 'lost' }))],
  ])(
    'that is paid after the order is %s does not bring it back, and notifies',
    async (status, fact) => {
      const { follow, notified } = await pendingOrder();
      const after = await follow(billed(bill(0)), fact, billed(bill(1)));
      expect(after.status).toBe(status);
      expect(after.notes.at(-1)).toBe(`$450.00 was taken although the order is ${status} (test)`);
      expect(notified.filter((kind) => kind === 'paid-after-end')).toHaveLength(1);
    },
  );
});

describe('the end of a subscription', () => {
  test('that is decided notifies and is noted with its day, and may be taken back', async () => {
    const endsAt = JANUARY + MONTH_MS;
    const { follow, notified } = await pendingOrder();
    expect(await follow(billed(bill(0)), { endsAt }, { endsAt }, {})).toMatchObject({
      ...{ status: 'paid', endsAt },
      notes: ['The subscription ends on 2026-02-15'],
    });
    const after = await follow({ endsAt: null });
    expect([after.endsAt, after.notes.at(-1)]).toEqual([null, 'The subscription goes on']);
    expect(notified).toEqual(['paid', 'ending', 'ending']);
  });

  test('cancels a paid order and notifies; an order that was never paid ends in silence', async () => {
    const [paid, unpaid] = [await pendingOrder(), await pendingOrder()];
    const ended = { status: 'canceled', subscriptionEnded: 1 };
    expect(await paid.follow(billed(bill(0)), { ended: true })).toMatchObject(ended);
    expect(await unpaid.follow({ ended: true })).toMatchObject(ended);
    expect([paid.notified, unpaid.notified]).toEqual([['paid', 'ended'], []]);
  });
});

describe('a first payment', () => {
  const refused = { refused: true };
  test.each<[string, Fact[], string]>([
    ['waits for the bank', [{ status: 'requires_action' }], 'pending processing'],
    ['was refused', [refused, refused], 'pending failed'],
    ['was never tried', [{}], 'pending'],
    ['was given up', [{ status: 'canceled' }], 'pending canceled'],
    ['has come', [{ status: 'succeeded' }], 'pending paid'],
    ['comes after a refusal', [refused, { status: 'succeeded' }], 'pending failed processing paid'],
    [
      'is given up after a refusal',
      [refused, { status: 'canceled' }],
      'pending failed processing canceled',
    ],
  ])('that %s leads the order there', async (_what, facts, way) => {
    expect((await (await pendingOrder()).follow(...facts)).way).toBe(way);
  });
});

describe('a refund', () => {
  test('of a part is noted with the total refunded so far, which never decreases', async () => {
    const { follow, notified } = await pendingOrder();
    const part = charge({ refunded: cents(50_00) });
    const more = { ...part, refunded: cents(120_50) };
    expect(
      await follow(billed(bill(0)), charged(part), charged(more), charged(part)),
    ).toMatchObject({
      ...{ status: 'paid', refundedCents: 120_50 },
      notes: ['$50.00 refunded in all (test)', '$120.50 refunded in all (test)'],
    });
    expect(notified).toEqual(['paid', 'refunded', 'refunded']);
  });

  test('of all that was paid ends the order and notifies once, in any order', async () => {
    const make = () => [billed(bill(0)), charged(charge({ refunded: ALL }))];
    for (const end of await inAnyOrder(make))
      expect(end).toMatchObject({
        ...{ status: 'refunded', refundedCents: ALL },
        notified: ['paid', 'refunded'],
      });
  });

  test('of one month of two leaves the order as it is; that of both ends it', async () => {
    const { follow } = await pendingOrder();
    const once = await follow(billed(bill(0), bill(1)), charged(charge({ refunded: ALL })));
    expect([once.status, once.refundedCents]).toEqual(['paid', 450_00]);
    const twice = await follow(charged(charge({ refunded: ALL })));
    expect([twice.status, twice.refundedCents]).toEqual(['refunded', 900_00]);
  });

  test('of all passes through each status between, after a refusal and while a month is overdue', async () => {
    const all = charged(charge({ refunded: ALL }));
    const refused = await pendingOrder();
    const { way } = await refused.follow({ refused: true }, { ...billed(bill(0)), ...all });
    expect(way).toBe('pending failed processing paid refunded');
    const overdue = await pendingOrder();
    const after = await overdue.follow(billed(bill(0)), billed(bill(1, { paid: false })), all);
    expect(after.way).toBe('pending paid past_due paid refunded');
  });
});

describe('a dispute', () => {
  test('notifies when it begins; both its ends are noted', async () => {
    const { follow, notified } = await pendingOrder();
    const open = charge({ dispute: 'open' });
    const won = { ...open, dispute: 'won' as const };
    expect(await follow(billed(bill(0)), charged(open), charged(open), charged(won))).toMatchObject(
      {
        ...{ status: 'paid', dispute: 'won' },
        notes: ['Dispute open (test)', 'Dispute won (test)'],
      },
    );
    expect(notified).toEqual(['paid', 'disputed']);
  });

  test.each([
    ['won', 'paid'],
    ['lost', 'refunded'],
  ] as const)('that is %s stays so, in any order', async (dispute, status) => {
    const ends = await inAnyOrder(() => {
      const open = charge({ dispute: 'open' });
      return [billed(bill(0)), charged(open), charged({ ...open, dispute })];
    });
    for (const end of ends) expect(end).toMatchObject({ dispute, status });
  });

  test('of two months notifies for each, and the worse one is shown', async () => {
    const { follow, notified } = await pendingOrder();
    const both = charged(charge({ dispute: 'won' }), charge({ dispute: 'open' }));
    expect((await follow(billed(bill(0), bill(1)), both)).dispute).toBe('open');
    expect(notified).toEqual(['paid', 'disputed', 'disputed']);
  });

  test('is kept when a refund is reported without it', async () => {
    const { follow } = await pendingOrder();
    const open = charge({ dispute: 'open' });
    const { dispute: _, ...refund } = { ...open, refunded: cents(10_00) };
    expect(await follow(billed(bill(0)), charged(open), charged(refund))).toMatchObject({
      dispute: 'open',
      refundedCents: 10_00,
    });
  });
});

test('an older answer of the provider that comes late sets nothing back', async () => {
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
