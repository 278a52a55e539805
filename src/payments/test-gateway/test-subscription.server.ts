/**
 * The test gateway's subscriptions: storage, monthly invoices, prorated changes and the clock. Each month ends, in one
 * transaction with the order's update, with an invoice or with the end of the subscription. All instances share one clock, which
 * staff can move ahead in a demo.
 */
import type { Generated } from 'kysely';
import { type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { Notify } from '../../notifications/outbox.server.ts';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { Invoice, PaymentState } from '../../orders/gateway.server.ts';
import { isOver, monthsLater } from '../../orders/order.ts';
import { lockOrder, type Order } from '../../orders/order-store.server.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Db, Row } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { type Cents, cents, totalOf } from '../../platform/money.ts';
import { DAY_MS, isoTime } from '../../platform/time.ts';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from '../payment-api.ts';
import { cardOf } from './test-cards.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testSubscriptions: {
      orderId: number;
      /** The billing anchor. */
      startedAt: number;
      /** The number of months that have passed; each has an invoice. */
      months: number;
      periodStart: number;
      periodEnd: number;
      /** The monthly price: JSON of `PriceLine[]`. */
      lines: string;
      /** When the lines were last changed. */
      changedAt: Generated<number>;
      /** What changes add to the next invoice; negative for a credit. */
      pendingCents: Generated<Cents>;
      status: 'active' | 'past_due' | 'ended';
      /** 1 when the subscription ends with the current period. */
      ending: Generated<Flag>;
      cardLast4: string;
      /** The decision and amount of the last refund. */
      refundKey: Generated<string | null>;
    };
    /** A single row. */
    testClock: {
      id: number;
      aheadMs: number;
    };
  }
}

export type Subscription = Row<'testSubscriptions'>;

/** The state of an order whose first payment has succeeded. */
export const PAID: PaymentState = { status: 'succeeded', refused: false };

/** Returns the paid first invoice; nothing when the order already has a subscription. */
export async function insertSubscription(
  trx: Db,
  order: Pick<Order, 'id' | 'priceLines' | 'amountCents'>,
  startedAt: number,
  cardLast4: string,
): Promise<Invoice[]> {
  const inserted = await trx
    .insertInto('testSubscriptions')
    .values({
      orderId: order.id,
      startedAt,
      ...billingPeriod(startedAt, 0),
      lines: order.priceLines,
      status: 'active',
      cardLast4,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return inserted ? [invoiceOf(inserted, startedAt, order.amountCents, true)] : [];
}

const ofOrder = (db: Db, orderId: number) =>
  db.selectFrom('testSubscriptions').selectAll().where('orderId', '=', orderId);

export async function findSubscription(db: Db, orderId: number): Promise<Subscription | undefined> {
  return ofOrder(db, orderId).executeTakeFirst();
}

/** Locks the row until the transaction ends. */
export async function lockSubscription(
  trx: Db,
  orderId: number,
): Promise<Subscription | undefined> {
  return selectForUpdate(ofOrder(trx, orderId), trx).executeTakeFirst();
}

export async function updateSubscription(
  trx: Db,
  orderId: number,
  change: Partial<Subscription>,
): Promise<void> {
  await trx.updateTable('testSubscriptions').set(change).where('orderId', '=', orderId).execute();
}

/** Periods start on the anchor's day, or on the last day of a shorter month. */
function billingPeriod(startedAt: number, months: number) {
  const start = new Date(startedAt);
  const periodStart = monthsLater(start, months).getTime();
  return { months, periodStart, periodEnd: monthsLater(start, months + 1).getTime() };
}

export function linesOf({ lines }: Pick<Subscription, 'lines'>): PriceLine[] {
  return priceLinesOf({ priceLines: lines });
}

/**
 * What a change in the middle of a month adds to the next invoice, by whole days. A higher price counts from the start of the
 * current day, a lower one from the next: so a raise costs at least a day, even if it is undone within seconds.
 */
export function priceDifference(
  { lines, periodStart, periodEnd }: Pick<Subscription, 'lines' | 'periodStart' | 'periodEnd'>,
  after: readonly PriceLine[],
  at: number,
): Cents {
  const days = Math.round((periodEnd - periodStart) / DAY_MS);
  const passed = Math.floor((at - periodStart) / DAY_MS);
  const more = totalOf(after) - totalOf(linesOf({ lines }));
  return cents(Math.round((more * (days - passed - (more < 0 ? 1 : 0))) / days));
}

/** What the next (or overdue) invoice comes to, and what it charges: a negative amount is a credit for later invoices. */
export function nextInvoice({
  lines,
  ending,
  pendingCents,
}: Pick<Subscription, 'lines' | 'ending' | 'pendingCents'>): { due: Cents; charge: Cents } {
  const due = cents((ending ? 0 : totalOf(linesOf({ lines }))) + pendingCents);
  return { due, charge: cents(Math.max(0, due)) };
}

/** The invoice of the subscription's current month, issued `at`. */
export function invoiceOf(
  subscription: Subscription,
  at: number,
  amount: Cents,
  paid: boolean,
): Invoice {
  const { orderId, months, periodStart, periodEnd, cardLast4 } = subscription;
  return {
    id: `test_invoice_${orderId}_${months + 1}`,
    number: `T-${orderId}-${String(months + 1).padStart(4, '0')}`,
    createdAt: at,
    amount,
    tax: cents(0),
    paid,
    renewal: months > 0,
    periodStart,
    periodEnd,
    lines: linesOf(subscription),
    ...(paid && amount > 0 ? { cardBrand: cardOf(cardLast4).brand, cardLast4 } : {}),
  };
}

async function clockAhead(db: Db): Promise<number> {
  const clock = db.selectFrom('testClock').select('aheadMs');
  return (await clock.executeTakeFirstOrThrow()).aheadMs;
}

/** Milliseconds since 1970, rounded down to a second. */
export async function testNow(db: Db): Promise<number> {
  return Math.floor((Date.now() + (await clockAhead(db))) / 1000) * 1000;
}

/** Notifies no one while the clock is ahead: those months have not really passed. */
export function notifyUnlessClockAhead(notify: Notify): Notify {
  return async (trx, ...notice) => {
    if ((await clockAhead(trx)) === 0) await notify(trx, ...notice);
  };
}

const EVERY_MS = 60 * 1000;

/** Bills all due subscriptions, each in its own transaction. */
export function testBilling({ db, notify }: FollowDeps): Interval {
  return new Interval('test-billing-failed', EVERY_MS, async (isStopped) => {
    while (!isStopped() && (await findNextDue(db)))
      await billNextDue(db, notifyUnlessClockAhead(notify));
  });
}

type BillingEvent = 'renewed' | 'failed' | 'ended';

/**
 * Moves the clock ahead, never back, bills everything due by then without notifying anyone, and returns what happened. After a
 * crash, `testBilling` bills the rest.
 */
export async function moveClock(db: Db, to: number): Promise<BillingEvent[]> {
  const aheadMs = to - Date.now();
  await db.updateTable('testClock').set({ aheadMs }).where('aheadMs', '<', aheadMs).execute();
  const events: BillingEvent[] = [];
  for (;;) {
    const event = await billNextDue(db, async () => undefined);
    if (!event) return events;
    events.push(event);
  }
}

/** Bills the subscription whose period ended first; undefined when nothing is due, or another instance billed it. */
function billNextDue(db: Db, notify: Notify): Promise<BillingEvent | undefined> {
  return db.transaction().execute(async (trx) => {
    const due = await findNextDue(trx);
    if (!due) return undefined;
    const { event, ...state } = await endPeriod(trx, due);
    const cause = `test subscription ${event}`;
    await followPayment({ db: trx, notify }, due.orderId, { ...PAID, ...state }, cause);
    return event;
  });
}

/** Locks the row when called in a transaction. */
async function findNextDue(db: Db): Promise<Subscription | undefined> {
  const due = db
    .selectFrom('testSubscriptions')
    .selectAll()
    .where('status', '!=', 'ended')
    .where('periodEnd', '<=', await testNow(db))
    .orderBy('periodEnd')
    .orderBy('orderId')
    .limit(1);
  return selectForUpdate(due, db).executeTakeFirst();
}

type PeriodEnd = Pick<PaymentState, 'invoices' | 'ended'> & { event: BillingEvent };

/** Starts the next month with its invoice, or ends the subscription. With a failing card the invoice stays open for a month. */
async function endPeriod(trx: Db, subscription: Subscription): Promise<PeriodEnd> {
  const { orderId, status, ending, startedAt, months, periodStart, periodEnd } = subscription;
  const order = await lockOrder(trx, orderId);
  const { due, charge } = nextInvoice(subscription);
  if (isOver(order.status) || (ending && charge === 0)) return endSubscription(trx, orderId);
  if (status === 'past_due') {
    const unpaid = invoiceOf(subscription, periodStart, charge, false);
    return endSubscription(trx, orderId, [{ ...unpaid, waived: true }]);
  }
  const paid = charge === 0 || cardOf(subscription.cardLast4).chargesLater;
  if (ending) {
    // Changes in the last month are still to be paid.
    const last = invoiceOf({ ...subscription, months: months + 1 }, periodEnd, charge, paid);
    return endSubscription(trx, orderId, [{ ...last, lines: [], waived: !paid }]);
  }
  const next = billingPeriod(startedAt, months + 1);
  const outcome = paid ? { pendingCents: cents(due - charge) } : ({ status: 'past_due' } as const);
  await updateSubscription(trx, orderId, { ...next, ...outcome });
  const invoice = invoiceOf({ ...subscription, ...next }, periodEnd, charge, paid);
  return { event: paid ? 'renewed' : 'failed', invoices: [invoice] };
}

async function endSubscription(
  trx: Db,
  orderId: number,
  invoices: PeriodEnd['invoices'] = [],
): Promise<PeriodEnd> {
  await updateSubscription(trx, orderId, { status: 'ended' });
  return { event: 'ended', ended: true, invoices };
}

/** `isDemo`: whether the demo credentials still work. Otherwise these calls answer 404. */
export function testClockCalls(db: Db, isDemo: () => Promise<boolean>): Call[] {
  const absent = () => refuse(404, 'There is nothing at this address');
  const time = async () => ({ now: isoTime(await testNow(db)) });
  return [
    call(GET_TEST_CLOCK, {
      access: 'staff',
      handle: async () => ((await isDemo()) ? time() : absent()),
    }),
    call(MOVE_TEST_CLOCK, {
      access: 'staff',
      handle: async ({ body: { now: shown } }) => {
        if (!(await isDemo())) return absent();
        const to = monthsLater(new Date(shown), 1).getTime();
        const now = await testNow(db);
        // Two colleagues who press at once move the clock once.
        if (to <= now || Date.parse(shown) > now)
          return refuse(409, 'The time has moved already. Please look at it again.');
        const events = await moveClock(db, to);
        const count = (event: BillingEvent) => events.filter((each) => each === event).length;
        const counts = {
          renewed: count('renewed'),
          failed: count('failed'),
          ended: count('ended'),
        };
        return { ...(await time()), ...counts };
      },
    }),
  ];
}
