/**
 * Subscriptions of the test gateway: what is stored, the bill of each month, what a change adds to the next one, and how time
 * passes. A month ends with a bill or with the end of the subscription, in one transaction with what the order makes of it.
 * All instances share one clock, which staff of a demo move ahead.
 */
import type { Generated } from 'kysely';
import { type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { Notify } from '../../notifications/outbox.server.ts';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { BilledInvoice, PaymentState } from '../../orders/gateway.server.ts';
import { isOver, monthsLater } from '../../orders/order.ts';
import { lockOrder, type Order } from '../../orders/order-store.server.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Db, Flag, Row } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { DAY_MS } from '../../platform/time.ts';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from '../payment-api.ts';
import { cardOf } from './test-cards.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testSubscriptions: TestSubscriptionTable;
    testClock: TestClockTable;
  }
}

interface TestSubscriptionTable {
  orderId: number;
  /** The moment from which months are counted. */
  startedAt: number;
  /** How many have passed; each has a bill. */
  months: number;
  periodStart: number;
  periodEnd: number;
  /** What a month is charged with: JSON of `PriceLine[]`. */
  lines: string;
  /** When the lines were changed last. */
  changedAt: Generated<number>;
  /** What changes add to the next bill, or take off it when negative. */
  pendingCents: Generated<number>;
  status: 'active' | 'past_due' | 'ended';
  /** 1: it ends with its period. */
  ending: Generated<Flag>;
  cardLast4: string;
  /** Of the last refund: one that is sent again is the same refund. */
  refundKey: Generated<string | null>;
}

export type Subscription = Row<'testSubscriptions'>;

/** One row. */
interface TestClockTable {
  id: number;
  aheadMs: number;
}

/** The state of an order whose first payment has succeeded. */
export const PAID: PaymentState = { status: 'succeeded', refused: false };

/** Gives the paid first bill; none when the order has a subscription already. */
export async function insertSubscription(
  trx: Db,
  order: Pick<Order, 'id' | 'priceLines' | 'amountCents'>,
  startedAt: number,
  cardLast4: string,
): Promise<BilledInvoice[]> {
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
  return inserted ? [billOf(inserted, startedAt, cents(order.amountCents), true)] : [];
}

const ofOrder = (db: Db, orderId: number) =>
  db.selectFrom('testSubscriptions').selectAll().where('orderId', '=', orderId);

export async function findSubscription(db: Db, orderId: number): Promise<Subscription | undefined> {
  return ofOrder(db, orderId).executeTakeFirst();
}

/** Locks it until the transaction ends. */
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

/** A period begins on the day of the first one, or on the last day of a month that is too short. */
function billingPeriod(startedAt: number, months: number) {
  const start = new Date(startedAt);
  const periodStart = monthsLater(start, months).getTime();
  return { months, periodStart, periodEnd: monthsLater(start, months + 1).getTime() };
}

export function linesOf({ lines }: Pick<Subscription, 'lines'>): PriceLine[] {
  return priceLinesOf({ priceLines: lines });
}

export function monthly(lines: readonly PriceLine[]): Cents {
  return cents(lines.reduce((sum, { amount }) => sum + amount, 0));
}

/**
 * What a change in the middle of a month adds to the next bill, by whole days from the start of the period. A raise is
 * paid for from the beginning of its day, and a lower price counts from the next day: a raise costs at least a day,
 * however soon it is taken back.
 */
export function priceDifference(
  { lines, periodStart, periodEnd }: Pick<Subscription, 'lines' | 'periodStart' | 'periodEnd'>,
  after: readonly PriceLine[],
  at: number,
): Cents {
  const days = Math.round((periodEnd - periodStart) / DAY_MS);
  const passed = Math.floor((at - periodStart) / DAY_MS);
  const more = monthly(after) - monthly(linesOf({ lines }));
  return cents(Math.round((more * (days - passed - (more < 0 ? 1 : 0))) / days));
}

/** What the next bill asks for, or one that is overdue, and what it charges: less than nothing stays for later bills. */
export function nextBill({
  lines,
  ending,
  pendingCents,
}: Pick<Subscription, 'lines' | 'ending' | 'pendingCents'>): { due: number; charge: Cents } {
  const due = (ending ? 0 : monthly(linesOf({ lines }))) + pendingCents;
  return { due, charge: cents(Math.max(0, due)) };
}

/** The bill of the month in which a subscription is; `at` is when it was made. */
export function billOf(
  subscription: Subscription,
  at: number,
  amount: Cents,
  paid: boolean,
): BilledInvoice {
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

/** Milliseconds since 1970, in whole seconds. */
export async function testNow(db: Db): Promise<number> {
  return Math.floor((Date.now() + (await clockAhead(db))) / 1000) * 1000;
}

/** Notifies of what time brings by itself, and no one while the clock is ahead: those months have not really passed. */
export function notifyUnlessAhead(notify: Notify): Notify {
  return async (trx, ...notice) => {
    if ((await clockAhead(trx)) === 0) await notify(trx, ...notice);
  };
}

const EVERY_MS = 60 * 1000;

/** Bills what is due by now, each in a transaction of its own. */
export function testBilling({ db, notify }: FollowDeps): Interval {
  return new Interval('test-billing-failed', EVERY_MS, async (isStopped) => {
    while (!isStopped() && (await nextDue(db))) await billNext(db, notifyUnlessAhead(notify));
  });
}

type BillingEvent = 'renewed' | 'failed' | 'ended';

/**
 * Moves the clock ahead, never back, and bills what is due by then; gives what happened. No one is notified. What a kill leaves
 * is due still, and billed at the next start.
 */
export async function moveClock(db: Db, to: number): Promise<BillingEvent[]> {
  const aheadMs = to - Date.now();
  await db.updateTable('testClock').set({ aheadMs }).where('aheadMs', '<', aheadMs).execute();
  const happened: BillingEvent[] = [];
  for (;;) {
    const what = await billNext(db, async () => undefined);
    if (!what) return happened;
    happened.push(what);
  }
}

/** Bills the subscription whose period ended first; undefined when nothing is due, or another instance was faster. */
function billNext(db: Db, notify: Notify): Promise<BillingEvent | undefined> {
  return db.transaction().execute(async (trx) => {
    const due = await nextDue(trx);
    if (!due) return undefined;
    const { what, ...state } = await endPeriod(trx, due);
    const cause = `test subscription ${what}`;
    await followPayment({ db: trx, notify }, due.orderId, { ...PAID, ...state }, cause);
    return what;
  });
}

/** Locks it while a transaction lasts. */
async function nextDue(db: Db): Promise<Subscription | undefined> {
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

type Step = Pick<PaymentState, 'invoices' | 'ended'> & { what: BillingEvent };

/** The next month begins, with its bill, or the subscription ends. A card that fails leaves the bill unpaid for a month. */
async function endPeriod(trx: Db, subscription: Subscription): Promise<Step> {
  const { orderId, status, ending, startedAt, months, periodStart, periodEnd } = subscription;
  const order = await lockOrder(trx, orderId);
  const { due, charge } = nextBill(subscription);
  if (isOver(order.status) || (ending && charge === 0)) return endSubscription(trx, orderId);
  if (status === 'past_due') {
    const unpaid = billOf(subscription, periodStart, charge, false);
    return endSubscription(trx, orderId, [{ ...unpaid, waived: true }]);
  }
  const paid = charge === 0 || cardOf(subscription.cardLast4).chargesLater;
  if (ending) {
    // What changes have come to is still owed when no month follows.
    const last = billOf({ ...subscription, months: months + 1 }, periodEnd, charge, paid);
    return endSubscription(trx, orderId, [{ ...last, lines: [], waived: !paid }]);
  }
  const next = billingPeriod(startedAt, months + 1);
  const outcome = paid ? { pendingCents: due - charge } : ({ status: 'past_due' } as const);
  await updateSubscription(trx, orderId, { ...next, ...outcome });
  const bill = billOf({ ...subscription, ...next }, periodEnd, charge, paid);
  return { what: paid ? 'renewed' : 'failed', invoices: [bill] };
}

async function endSubscription(
  trx: Db,
  orderId: number,
  invoices: Step['invoices'] = [],
): Promise<Step> {
  await updateSubscription(trx, orderId, { status: 'ended' });
  return { what: 'ended', ended: true, invoices };
}

/** `isDemo`: whether the demo's credentials are in force; without them these calls do not exist. */
export function testClockCalls(db: Db, isDemo: () => Promise<boolean>): Call[] {
  const absent = () => refuse(404, 'There is nothing at this address');
  const time = async () => ({ now: new Date(await testNow(db)).toISOString() });
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
        // Two who press at once move it once.
        if (to <= now || Date.parse(shown) > now)
          return refuse(409, 'The time has moved already. Please look at it again.');
        const happened = await moveClock(db, to);
        const count = (what: BillingEvent) => happened.filter((each) => each === what).length;
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
