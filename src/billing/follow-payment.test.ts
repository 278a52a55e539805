/** An order's state depends on what the provider has reported, not on when or in which order. */
import { describe, expect, test, vi } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { permutations } from '../../tests/support/permutations.ts';
import {
  line,
  notesOf,
  savedOrder,
  statusesOf,
  TEST_CAUSE,
} from '../../tests/support/saved-order.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { testGateway } from '../payments/test-gateway/test-gateway.server.ts';
import { cents } from '../platform/money.ts';
import { disputeOf, refundedOf } from './billed-order.server.ts';
import type { ReportedCharge } from './charge-store.server.ts';
import { followNow, followPayment, PaymentChecks } from './follow-payment.server.ts';
import type { Gateway, PaymentState } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import { getOrder } from './order-store.server.ts';

const app = sharedTestApp();

type Report = Partial<PaymentState>;

/** A pending order that follows reports one by one, each in its own transaction. */
async function pendingOrder() {
  const { db } = app.database;
  const order = await savedOrder(db);
  const notified: string[] = [];
  const notify = async (_trx: unknown, { kind }: { kind: string }) => {
    notified.push(kind.replace('order-', ''));
  };
  const own = <Thing extends { id: string }>(thing: Thing) => ({
    ...thing,
    id: `${thing.id} of ${order.id}`,
  });
  async function follow(...reports: Report[]) {
    for (const { invoices = [], charges = [], ...report } of reports) {
      const reported = { invoices: invoices.map(own), charges: charges.map(own) };
      const state = { ...report, ...reported };
      await db
        .transaction()
        .execute((trx) => followPayment({ db: trx, notify }, order.id, state, TEST_CAUSE));
    }
    const history = await statusesOf(db, order.id);
    const after = await getOrder(db, order);
    return {
      ...after,
      dispute: disputeOf(after),
      refunded: refundedOf(after),
      statuses: history.map(({ status }) => status).join(' '),
      notes: await notesOf(db, order.id),
    };
  }
  return { follow, notified };
}

/** The resulting order for each sequence in which the reports may arrive, each on a new order. */
async function inEverySequence(...reports: Report[]) {
  const results = [];
  for (const sequence of permutations(reports)) {
    const { follow, notified } = await pendingOrder();
    results.push({ ...(await follow(...sequence)), notified });
  }
  return results;
}

const JANUARY = Date.UTC(2026, 0, 15);
const MONTH_MS = 31 * 24 * 60 * 60 * 1000;
const ALL = cents(450_00);

/** Reports the invoice of a month as paid; month 0 is the first. */
function month(number: number, change: Partial<ReportedInvoice> = {}) {
  const amounts = { amountCents: ALL, amountPaidCents: ALL, amountRemainingCents: cents(0) };
  const paid = { ...amounts, status: 'paid' as const, renewal: number > 0 };
  const createdAt = JANUARY + number * MONTH_MS;
  return { invoices: [{ id: `invoice ${number}`, createdAt, ...paid, ...change }] };
}
const OPEN = { status: 'open', amountPaidCents: cents(0), amountRemainingCents: ALL } as const;
const UNPAID = month(1, OPEN);

/** Reports what became of a month's charge. */
function charge(change: Partial<ReportedCharge>, number = 0) {
  const charged = { id: `charge ${number}`, amountCents: ALL, refundedCents: cents(0) };
  return { charges: [{ ...charged, ...change }] };
}
const REFUNDED = charge({ refundedCents: ALL });
const DISPUTED = charge({ dispute: 'open' });

const TWO_MONTHS = { invoices: [...month(0).invoices, ...month(1).invoices] };

describe('an invoice', () => {
  test.each([
    ['it', month(1)],
    ['a later one', month(2)],
  ])(
    'that stays unpaid makes the order past due, with one notification, until %s is paid',
    async (_what, next) => {
      const { follow, notified } = await pendingOrder();
      expect((await follow(month(0), UNPAID, UNPAID)).status).toBe('past_due');
      expect((await follow(next)).status).toBe('paid');
      expect(notified).toEqual(['paid', 'renewal-failed', 'renewed']);
    },
  );

  test.each<[string, Report[], string]>([
    [
      'that stays unpaid makes the order past due even if an earlier one is paid later',
      [month(0), month(2, OPEN), month(1)],
      'past_due',
    ],
    [
      'that is void does not make the order past due',
      [month(0), UNPAID, month(1, { ...OPEN, status: 'void' })],
      'paid',
    ],
    [
      'that is paid stays paid even if it is then reported as unpaid',
      [month(0), month(1), month(1, { ...OPEN, amountCents: cents(0) })],
      'paid',
    ],
  ])('%s, in whatever sequence they are reported', async (_what, reports, status) => {
    for (const end of await inEverySequence(...reports)) expect(end.status).toBe(status);
  });

  test('keeps the facts for its receipt that a later report leaves out', async () => {
    const { follow } = await pendingOrder();
    const facts = { number: 'T-1', taxCents: cents(9_00) };
    const card = { cardBrand: 'Visa', cardLast4: '4242' };
    const first = { ...month(0, facts), ...charge(card) };
    const { invoices, charges } = await follow(first, { ...month(0), ...charge({}) });
    expect([invoices, charges]).toMatchObject([[facts], [card]]);
  });

  test.each<[string, Report]>([
    ['canceled', { status: 'canceled' }],
    ['refunded', charge({ dispute: 'lost' })],
  ])(
    'that is paid after the order is %s does not reopen it, and people are notified',
    async (status, report) => {
      const { follow, notified } = await pendingOrder();
      const after = await follow(month(0), report, month(1));
      expect(after.status).toBe(status);
      expect(after.notes.at(-1)).toBe(`$450.00 was taken although the order is ${status} (test)`);
      expect(notified.filter((kind) => kind === 'paid-after-end')).toHaveLength(1);
    },
  );
});

describe('after a first payment', () => {
  const refused = { attempt: 'failed' } as const;
  test.each<[string, Report[], string]>([
    ['that waits for the bank', [{ attempt: 'requires_action' }], 'pending processing'],
    ['that was refused', [refused, refused], 'pending failed'],
    ['that was not tried', [{}], 'pending'],
    ['that was canceled', [{ abandoned: true }], 'pending canceled'],
    ['that succeeded', [{ status: 'active' }], 'pending paid'],
    [
      'that succeeded after a refusal',
      [refused, { status: 'active' }],
      'pending failed processing paid',
    ],
    [
      'that was canceled after a refusal',
      [refused, { abandoned: true }],
      'pending failed processing canceled',
    ],
  ])('%s the order’s statuses follow', async (_what, reports, statuses) => {
    expect((await (await pendingOrder()).follow(...reports)).statuses).toBe(statuses);
  });
});

describe('a refund', () => {
  test('of a part is noted with the total so far and notifies, also when it fails later', async () => {
    const { follow, notified } = await pendingOrder();
    const part = charge({ refundedCents: cents(50_00) });
    const more = charge({ refundedCents: cents(120_50) });
    expect(await follow(month(0), part, more, part, part)).toMatchObject({
      status: 'paid',
      refunded: 50_00,
      notes: [
        '$50.00 refunded in all (test)',
        '$120.50 refunded in all (test)',
        'A refund of $70.50 failed: $50.00 refunded in all (test)',
      ],
    });
    expect(notified).toEqual(['paid', 'refunded', 'refunded', 'refund-failed']);
  });

  test('of everything ends the order and notifies once, whether reported before or after the payment', async () => {
    for (const end of await inEverySequence(month(0), REFUNDED))
      expect(end).toMatchObject({
        status: 'refunded',
        refunded: ALL,
        notified: ['paid', 'refunded'],
      });
  });

  test('of one month of two leaves the order paid, and of both makes it refunded', async () => {
    const { follow, notified } = await pendingOrder();
    const once = { status: 'paid', refunded: 450_00 };
    expect(await follow(TWO_MONTHS, REFUNDED)).toMatchObject(once);
    const twice = { status: 'refunded', refunded: 900_00 };
    expect(await follow(charge({ refundedCents: ALL }, 1))).toMatchObject(twice);
    // The receipt shows both months.
    expect(notified).toEqual(['paid', 'refunded', 'refunded']);
  });

  test.each<[string, Report[], string]>([
    [
      'after a refusal',
      [{ attempt: 'failed' }, { ...month(0), ...REFUNDED }],
      'pending failed processing paid refunded',
    ],
    ['while overdue', [month(0), UNPAID, REFUNDED], 'pending paid past_due paid refunded'],
  ])('of everything %s passes through the allowed statuses', async (_when, reports, statuses) => {
    expect((await (await pendingOrder()).follow(...reports)).statuses).toBe(statuses);
  });
});

describe('a dispute', () => {
  test('notifies once when it opens; opening and winning are noted', async () => {
    const { follow, notified } = await pendingOrder();
    const won = charge({ dispute: 'won' });
    expect(await follow(month(0), DISPUTED, DISPUTED, won)).toMatchObject({
      status: 'paid',
      dispute: 'won',
      notes: ['Dispute open (test)', 'Dispute won (test)'],
    });
    expect(notified).toEqual(['paid', 'disputed']);
  });

  test('that is lost stays so, in whatever sequence it is reported', async () => {
    for (const end of await inEverySequence(month(0), DISPUTED, charge({ dispute: 'lost' })))
      expect(end).toMatchObject({ dispute: 'lost', status: 'refunded' });
  });

  test('over each of two months notifies twice, and an open one is shown rather than a won one', async () => {
    const { follow, notified } = await pendingOrder();
    const won = charge({ dispute: 'won' }, 1);
    const both = { charges: [...won.charges, ...DISPUTED.charges] };
    expect((await follow(TWO_MONTHS, both)).dispute).toBe('open');
    expect(notified).toEqual(['paid', 'disputed', 'disputed']);
  });

  test('stays when a refund is reported without it', async () => {
    const { follow } = await pendingOrder();
    const refund = charge({ refundedCents: cents(10_00) });
    const kept = { dispute: 'open', refunded: 10_00 };
    expect(await follow(month(0), DISPUTED, refund)).toMatchObject(kept);
  });
});

test('a cancellation that is reported together with the end notifies once, of the end, and a change after it not at all', async () => {
  const { follow, notified } = await pendingOrder();
  const lines = [line('microsoft365', 12_50, 5)];
  await follow(month(0), { status: 'canceled', cancelAt: JANUARY + MONTH_MS }, { lines });
  expect(notified).toEqual(['paid', 'ended']);
});

test('a slow, outdated answer from the provider does not overwrite newer state', async () => {
  const { db } = app.database;
  const order = await savedOrder(db, { provider: 'test', status: 'paid', subscriptionId: 'sub_1' });
  const notify = vi.fn();
  const gateway = {
    ...testGateway({ db, notify, company: ownContent().company }),
    fetchPaymentState: vi.fn<Gateway['fetchPaymentState']>(),
  };
  const look = () =>
    followNow({ db, gateway, notify, paymentChecks: new PaymentChecks() }, order, TEST_CAUSE);
  const paid = { status: 'active' } as const;
  const cancelAt = Date.UTC(2027, 0, 1);
  gateway.fetchPaymentState.mockResolvedValue({ ...paid, cancelAt });
  gateway.fetchPaymentState.mockImplementationOnce(async () => {
    await look();
    return { ...paid, cancelAt: null };
  });
  expect(await look()).toMatchObject({ subscription: { cancelAt } });
  expect(notify.mock.calls.map(([, kind]) => kind.kind)).toEqual(['order-ending']);
});
