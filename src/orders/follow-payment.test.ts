/** An order's state depends on what the provider has reported, not on when or in which order. */
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

type Report = Partial<PaymentState>;

/** A pending order that follows reports one by one, each in its own transaction. */
async function pendingOrder() {
  const { db } = app.database;
  const order = await savedOrder(db);
  const notified: string[] = [];
  const notify = async (_trx: unknown, { kind }: { kind: string }) => {
    notified.push(kind.replace('order-', ''));
  };
  async function follow(...reports: Report[]) {
    for (const report of reports)
      await db.transaction().execute((trx) => {
        const state = { ...NOTHING_TRIED, ...report };
        return followPayment({ db: trx, notify }, order.id, state, 'test');
      });
    const { history, notes } = await readHistory(db, order.id);
    return {
      ...(await getOrder(db, order)),
      statuses: history.map(({ status }) => status).join(' '),
      notes: notes.map(({ note }) => note),
    };
  }
  return { follow, notified };
}

/** The resulting order for each sequence in which the reports may arrive, each on a new order. */
async function inEverySequence(make: () => Report[]) {
  const results = [];
  for (const sequence of permutations(make().map((_, index) => index))) {
    const reports = make();
    const { follow, notified } = await pendingOrder();
    results.push({ ...(await follow(...sequence.map((index) => reports[index] ?? {}))), notified });
  }
  return results;
}

const JANUARY = Date.UTC(2026, 0, 15);
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

/** A paid invoice; month 0 is the first. */
function invoice(month: number, change: Partial<BilledInvoice> = {}): BilledInvoice {
  const createdAt = JANUARY + month * MONTH_MS;
  const paid = { amount: cents(450_00), paid: true, renewal: month > 0 };
  return { id: randomUUID(), createdAt, ...paid, ...change };
}

function charge(change: Partial<ReversedCharge> = {}): ReversedCharge {
  return { id: randomUUID(), amount: cents(450_00), refunded: cents(0), ...change };
}

const withInvoices = (...invoices: BilledInvoice[]) => ({ invoices });
const withCharges = (...charges: ReversedCharge[]) => ({ charges });
const ALL = cents(450_00);

describe('an invoice', () => {
  test.each(['it', 'a later one'])(
    'that stays unpaid makes the order past due, with one notification, until %s is paid',
    async (what) => {
      const { follow, notified } = await pendingOrder();
      const unpaid = invoice(1, { paid: false });
      const late = await follow(
        withInvoices(invoice(0)),
        withInvoices(unpaid),
        withInvoices(unpaid),
      );
      expect(late.status).toBe('past_due');
      const next = what === 'it' ? { ...unpaid, paid: true } : invoice(2);
      expect((await follow(withInvoices(next))).status).toBe('paid');
      expect(notified).toEqual(['paid', 'renewal-failed', 'renewed']);
    },
  );

  test.each<[string, () => Report[], string]>([
    [
      'that stays unpaid makes the order past due even if an earlier one is paid later',
      () => [invoice(0), invoice(2, { paid: false }), invoice(1)].map((each) => withInvoices(each)),
      'past_due',
    ],
    [
      'that is waived does not make the order past due',
      () => {
        const unpaid = invoice(1, { paid: false });
        return [
          withInvoices(invoice(0)),
          withInvoices(unpaid),
          withInvoices({ ...unpaid, waived: true }),
        ];
      },
      'paid',
    ],
    [
      'that is paid stays paid even if it is then reported as unpaid',
      () => {
        const paid = invoice(1);
        return [
          withInvoices(invoice(0)),
          withInvoices(paid),
          withInvoices({ ...paid, paid: false, amount: cents(0) }),
        ];
      },
      'paid',
    ],
  ])('%s, in whatever sequence they are reported', async (_what, make, status) => {
    for (const end of await inEverySequence(make)) expect(end.status).toBe(status);
  });

  test.each([
    ['canceled', { ended: true }],
    ['refunded', withCharges(charge({ dispute: 'lost' }))],
  ])(
    'that is paid after the order is %s does not reopen it, and people are notified',
    async (status, report) => {
      const { follow, notified } = await pendingOrder();
      const after = await follow(withInvoices(invoice(0)), report, withInvoices(invoice(1)));
      expect(after.status).toBe(status);
      expect(after.notes.at(-1)).toBe(`$450.00 was taken although the order is ${status} (test)`);
      expect(notified.filter((kind) => kind === 'paid-after-end')).toHaveLength(1);
    },
  );
});

describe('after a first payment', () => {
  const refused = { refused: true };
  test.each<[string, Report[], string]>([
    ['that waits for the bank', [{ status: 'requires_action' }], 'pending processing'],
    ['that was refused', [refused, refused], 'pending failed'],
    ['that was not tried', [{}], 'pending'],
    ['that was canceled', [{ status: 'canceled' }], 'pending canceled'],
    ['that succeeded', [{ status: 'succeeded' }], 'pending paid'],
    [
      'that succeeded after a refusal',
      [refused, { status: 'succeeded' }],
      'pending failed processing paid',
    ],
    [
      'that was canceled after a refusal',
      [refused, { status: 'canceled' }],
      'pending failed processing canceled',
    ],
  ])('%s the order’s statuses follow', async (_what, reports, statuses) => {
    expect((await (await pendingOrder()).follow(...reports)).statuses).toBe(statuses);
  });
});

describe('a refund', () => {
  test('of a part is noted with the total so far, which never decreases, and notifies', async () => {
    const { follow, notified } = await pendingOrder();
    const part = charge({ refunded: cents(50_00) });
    const more = { ...part, refunded: cents(120_50) };
    expect(
      await follow(
        withInvoices(invoice(0)),
        withCharges(part),
        withCharges(more),
        withCharges(part),
      ),
    ).toMatchObject({
      ...{ status: 'paid', refundedCents: 120_50 },
      notes: ['$50.00 refunded in all (test)', '$120.50 refunded in all (test)'],
    });
    expect(notified).toEqual(['paid', 'refunded', 'refunded']);
  });

  test('of everything ends the order and notifies once, whether reported before or after the payment', async () => {
    const make = () => [withInvoices(invoice(0)), withCharges(charge({ refunded: ALL }))];
    for (const end of await inEverySequence(make))
      expect(end).toMatchObject({
        ...{ status: 'refunded', refundedCents: ALL },
        notified: ['paid', 'refunded'],
      });
  });

  test('of one month of two leaves the order paid, and of both makes it refunded', async () => {
    const { follow } = await pendingOrder();
    const once = await follow(
      withInvoices(invoice(0), invoice(1)),
      withCharges(charge({ refunded: ALL })),
    );
    expect([once.status, once.refundedCents]).toEqual(['paid', 450_00]);
    const twice = await follow(withCharges(charge({ refunded: ALL })));
    expect([twice.status, twice.refundedCents]).toEqual(['refunded', 900_00]);
  });

  test('of everything passes through the allowed statuses, after a refusal and while overdue', async () => {
    const all = withCharges(charge({ refunded: ALL }));
    const refused = await pendingOrder();
    const { statuses } = await refused.follow(
      { refused: true },
      { ...withInvoices(invoice(0)), ...all },
    );
    expect(statuses).toBe('pending failed processing paid refunded');
    const overdue = await pendingOrder();
    const after = await overdue.follow(
      withInvoices(invoice(0)),
      withInvoices(invoice(1, { paid: false })),
      all,
    );
    expect(after.statuses).toBe('pending paid past_due paid refunded');
  });
});

describe('a dispute', () => {
  test('notifies once when it opens; opening and winning are noted', async () => {
    const { follow, notified } = await pendingOrder();
    const open = charge({ dispute: 'open' });
    const won = { ...open, dispute: 'won' as const };
    expect(
      await follow(
        withInvoices(invoice(0)),
        withCharges(open),
        withCharges(open),
        withCharges(won),
      ),
    ).toMatchObject({
      ...{ status: 'paid', dispute: 'won' },
      notes: ['Dispute open (test)', 'Dispute won (test)'],
    });
    expect(notified).toEqual(['paid', 'disputed']);
  });

  test.each([
    ['won', 'paid'],
    ['lost', 'refunded'],
  ] as const)(
    'that is %s stays so, in whatever sequence it is reported',
    async (dispute, status) => {
      const ends = await inEverySequence(() => {
        const open = charge({ dispute: 'open' });
        return [withInvoices(invoice(0)), withCharges(open), withCharges({ ...open, dispute })];
      });
      for (const end of ends) expect(end).toMatchObject({ dispute, status });
    },
  );

  test('over each of two months notifies twice, and an open one is shown rather than a won one', async () => {
    const { follow, notified } = await pendingOrder();
    const both = withCharges(charge({ dispute: 'won' }), charge({ dispute: 'open' }));
    expect((await follow(withInvoices(invoice(0), invoice(1)), both)).dispute).toBe('open');
    expect(notified).toEqual(['paid', 'disputed', 'disputed']);
  });

  test('stays when a refund is reported without it', async () => {
    const { follow } = await pendingOrder();
    const open = charge({ dispute: 'open' });
    const { dispute: _, ...refund } = { ...open, refunded: cents(10_00) };
    expect(
      await follow(withInvoices(invoice(0)), withCharges(open), withCharges(refund)),
    ).toMatchObject({
      dispute: 'open',
      refundedCents: 10_00,
    });
  });
});

test('a slow, outdated answer from the provider does not overwrite newer state', async () => {
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
