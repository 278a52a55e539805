/**
 * Charges the test gateway's subscriptions each month. All instances share one clock, which staff
 * can move ahead in a demo. A month begins, in one transaction with the order's update, with an
 * invoice or with the end of the subscription.
 */

import type { DbAndNotify, Notify } from '../../notifications/outbox.server.ts';
import { followPayment } from '../../orders/follow-payment.server.ts';
import type { PaymentState } from '../../orders/gateway.server.ts';
import { isOver, monthsLater } from '../../orders/order.ts';
import { bySite } from '../../orders/order-event.server.ts';
import { lockOrder, type Order } from '../../orders/order-store.server.ts';
import {
  findPriceChange,
  isDue,
  pricesOf,
  repriced,
} from '../../orders/price-change-store.server.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { isoTime } from '../../platform/time.ts';
import { cardOf } from './test-cards.ts';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from './test-payment-api.ts';
import {
  billingPeriod,
  invoiceOf,
  linesOf,
  type Subscription,
  stateOf,
  updateSubscription,
} from './test-subscription.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    /** A single row. */
    testClock: {
      id: number;
      aheadMs: number;
    };
  }
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
export function testBilling({ db, notify }: DbAndNotify): Interval {
  return new Interval('test-billing-failed', EVERY_MS, async (isStopped) => {
    while (!isStopped() && (await findNextDue(db)))
      await billNextDue(db, notifyUnlessClockAhead(notify));
  });
}

type BillingEvent = 'renewed' | 'failed' | 'ended';

/**
 * Moves the clock ahead, never back, bills everything due by then without notifying anyone, and
 * returns what happened. After a crash, `testBilling` bills the rest.
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

/**
 * Bills the subscription whose period ended first; undefined when nothing is due, or another
 * instance billed it.
 */
function billNextDue(db: Db, notify: Notify): Promise<BillingEvent | undefined> {
  return db.transaction().execute(async (trx) => {
    const subscription = await findNextDue(trx);
    if (!subscription) return undefined;
    const order = await lockOrder(trx, subscription.orderId);
    const { event, ...period } = await endPeriod(trx, subscription, order);
    const cause = bySite(`test-subscription-${event}`);
    await followPayment({ db: trx, notify }, order.id, { ...stateOf(order), ...period }, cause);
    return event;
  });
}

/** Locks the row when called in a transaction. */
async function findNextDue(db: Db): Promise<Subscription | undefined> {
  const nextDue = db
    .selectFrom('testSubscriptions')
    .selectAll()
    .where('status', '!=', 'ended')
    .where('periodEnd', '<=', await testNow(db))
    .orderBy('periodEnd')
    .orderBy('orderId')
    .limit(1);
  return selectForUpdate(nextDue, db).executeTakeFirst();
}

type PeriodEnd = Pick<PaymentState, 'invoices' | 'ended' | 'plan'> & { event: BillingEvent };

/**
 * Starts the next month with its invoice, or ends the subscription. With a failing card the invoice
 * stays open for a month.
 */
async function endPeriod(trx: Db, subscription: Subscription, order: Order): Promise<PeriodEnd> {
  const { orderId, status, ending, startedAt, months, cardLast4 } = subscription;
  if (isOver(order.status) || ending) return endSubscription(trx, orderId, []);
  if (status === 'past_due') {
    const unpaid = { ...invoiceOf(subscription, false, order), waived: true };
    return endSubscription(trx, orderId, [unpaid]);
  }
  const byInvoice = order.dueDays !== null;
  const paid = !byInvoice && cardOf(cardLast4).chargesLater;
  const period = billingPeriod(startedAt, months + 1);
  const change = await findPriceChange(trx, orderId);
  const isNewPrice = change && isDue(change, period.periodStart);
  const plan = repriced(linesOf(subscription), isNewPrice ? pricesOf(change).to : []);
  const next = {
    ...period,
    lines: JSON.stringify(plan),
    status: paid || byInvoice ? ('active' as const) : ('past_due' as const),
  };
  await updateSubscription(trx, orderId, next);
  const invoice = invoiceOf({ ...subscription, ...next }, paid, order);
  return { event: paid || byInvoice ? 'renewed' : 'failed', invoices: [invoice], plan };
}

async function endSubscription(
  trx: Db,
  orderId: number,
  invoices: PeriodEnd['invoices'],
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
      handle: async ({ body: { now: shownNow } }) => {
        if (!(await isDemo())) return absent();
        const to = monthsLater(new Date(shownNow), 1).getTime();
        const now = await testNow(db);
        // Two colleagues who press at once move the clock once.
        if (to <= now || Date.parse(shownNow) > now)
          return refuse(409, 'The time has moved already. Please look at it again.');
        const events = await moveClock(db, to);
        const count = (event: BillingEvent) => events.filter((other) => other === event).length;
        return {
          ...(await time()),
          renewed: count('renewed'),
          failed: count('failed'),
          ended: count('ended'),
        };
      },
    }),
  ];
}
