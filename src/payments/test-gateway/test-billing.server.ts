/**
 * Test subscriptions through time: each month ends with a bill, or with the end of the subscription. Each step is one
 * transaction with what the order makes of it, so that a kill leaves both agreeing. The clock is the same for all instances;
 * staff of a demo move it ahead, to see what a month brings.
 */
import type { Notify } from '../../notifications/outbox.server.ts';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { PaymentState } from '../../orders/gateway.server.ts';
import { isOver, monthsLater } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-store.server.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from '../payment-api.ts';
import { cardOf } from './test-cards.ts';
import {
  billingPeriod,
  billOf,
  nextBill,
  PAID,
  type Subscription,
  updateSubscription,
} from './test-subscription.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testClock: TestClockTable;
  }
}

/** One row. */
interface TestClockTable {
  id: number;
  aheadMs: number;
}

const clock = (db: Db) => db.selectFrom('testClock').select('aheadMs').where('id', '=', 1);

/** Milliseconds since 1970, in whole seconds. */
export async function testNow(db: Db): Promise<number> {
  const { aheadMs } = await clock(db).executeTakeFirstOrThrow();
  return wholeSeconds(Date.now() + aheadMs);
}

/** Until the transaction ends no other instance bills, or moves the clock. */
async function lockClock(trx: Db): Promise<void> {
  await selectForUpdate(clock(trx), trx).execute();
}

/** Never back; the clock must be locked. */
async function setClock(trx: Db, to: number): Promise<void> {
  const aheadMs = to - wholeSeconds(Date.now());
  await trx.updateTable('testClock').set({ aheadMs }).where('aheadMs', '<', aheadMs).execute();
}

function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** Notifies of what time brings by itself, and no one while the clock is ahead: those months have not really passed. */
export function notifyUnlessAhead(notify: Notify): Notify {
  return async (trx, ...notice) => {
    const { aheadMs } = await clock(trx).executeTakeFirstOrThrow();
    if (aheadMs === 0) await notify(trx, ...notice);
  };
}

const EVERY_MS = 60 * 1000;

/** Bills what is due by now, again and again. */
export function testBilling({ db, notify }: FollowDeps): Interval {
  const deps = { db, notify: notifyUnlessAhead(notify) };
  return new Interval('test-billing-failed', EVERY_MS, async (isStopped) => {
    while (!isStopped() && (await billNext(deps)));
  });
}

type BillingEvent = 'renewed' | 'failed' | 'ended';

/**
 * Bills the subscription whose period ends first; undefined when nothing is due. With `until`, what is due by then, and the
 * clock moves there with it. Of several instances one at a time takes a step, and each step is taken once.
 */
export async function billNext(
  { db, notify }: FollowDeps,
  until?: number,
): Promise<BillingEvent | undefined> {
  const by = until ?? (await testNow(db));
  // Most of the time nothing is due, and nothing is locked.
  if (!(await nextDue(db, by).executeTakeFirst())) return undefined;
  return db.transaction().execute(async (trx) => {
    await lockClock(trx);
    const due = await selectForUpdate(nextDue(trx, by), trx).executeTakeFirst();
    if (!due) return undefined;
    if (until !== undefined) await setClock(trx, due.periodEnd);
    const { what, ...state } = await endPeriod(trx, due);
    const deps = { db: trx, notify };
    await followPayment(deps, due.orderId, { ...PAID, ...state }, `test subscription ${what}`);
    return what;
  });
}

function nextDue(db: Db, until: number) {
  return db
    .selectFrom('testSubscriptions')
    .selectAll()
    .where('status', '!=', 'ended')
    .where('periodEnd', '<=', until)
    .orderBy('periodEnd')
    .orderBy('orderId')
    .limit(1);
}

type Step = Pick<PaymentState, 'invoices' | 'ended'> & { what: BillingEvent };

/** The next month begins, with its bill, or the subscription ends. A card that fails leaves the bill unpaid for a month. */
async function endPeriod(trx: Db, subscription: Subscription): Promise<Step> {
  const { orderId, status, ending, startedAt, months, periodStart, periodEnd } = subscription;
  const order = await lockOrder(trx, orderId);
  const { due, charge } = nextBill(subscription);
  if (isOver(order.status) || (ending && charge === 0)) return end(trx, orderId);
  if (status === 'past_due') {
    const unpaid = billOf(subscription, periodStart, charge, false);
    return end(trx, orderId, [{ ...unpaid, waived: true }]);
  }
  const paid = charge === 0 || cardOf(subscription.cardLast4).chargesLater;
  if (ending) {
    // What changes have come to is still owed when no month follows.
    const last = billOf({ ...subscription, months: months + 1 }, periodEnd, charge, paid);
    return end(trx, orderId, [{ ...last, lines: [], waived: !paid }]);
  }
  const next = billingPeriod(startedAt, months + 1);
  const outcome = paid ? { pendingCents: due - charge } : ({ status: 'past_due' } as const);
  await updateSubscription(trx, orderId, { ...next, ...outcome });
  const bill = billOf({ ...subscription, ...next }, periodEnd, charge, paid);
  return { what: paid ? 'renewed' : 'failed', invoices: [bill] };
}

async function end(trx: Db, orderId: number, invoices: Step['invoices'] = []): Promise<Step> {
  await updateSubscription(trx, orderId, { status: 'ended' });
  return { what: 'ended', ended: true, invoices };
}

/** `isDemo`: whether the demo's credentials are in force; without them these calls do not exist. */
export function testClockCalls(db: Db, isDemo: () => Promise<boolean>): Call[] {
  const absent = () => refuse(404, 'There is nothing at this address');
  return [
    call(GET_TEST_CLOCK, {
      access: 'staff',
      handle: async () => ((await isDemo()) ? { now: iso(await testNow(db)) } : absent()),
    }),
    call(MOVE_TEST_CLOCK, {
      access: 'staff',
      handle: async ({ body }) => {
        if (!(await isDemo())) return absent();
        const to = monthsLater(new Date(body.now), 1).getTime();
        const now = await testNow(db);
        // Two who press at once move it once.
        if (to <= now || Date.parse(body.now) > now)
          return refuse(409, 'The time has moved already. Please look at it again.');
        const counts = await moveClock(db, to);
        return { now: iso(await testNow(db)), ...counts };
      },
    }),
  ];
}

/** Bills everything that is due until then in its order, each in a transaction of its own. No one is notified. */
async function moveClock(db: Db, until: number) {
  const silent = { db, notify: async () => undefined };
  const counts = { renewed: 0, failed: 0, ended: 0 };
  for (let what = await billNext(silent, until); what; what = await billNext(silent, until))
    counts[what] += 1;
  await db.transaction().execute(async (trx) => {
    await lockClock(trx);
    await setClock(trx, until);
  });
  return counts;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
