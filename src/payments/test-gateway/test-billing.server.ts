/**
 * Test subscriptions through time: each month ends with a bill, or with the end of the subscription. Each step is one
 * transaction with what the order makes of it, so that a kill leaves both agreeing. Staff of a demo move the time ahead, to
 * see what a month brings.
 */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { PaymentState } from '../../orders/gateway.server.ts';
import { isOver, monthsLater } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-store.server.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { cents } from '../../platform/money.ts';
import { GET_TEST_CLOCK, MOVE_TEST_CLOCK } from '../payment-api.ts';
import { chargeOf, monthly } from './proration.ts';
import { cardOf } from './test-cards.ts';
import { lockClock, notifyUnlessAhead, setClock, testNow } from './test-clock.server.ts';
import {
  billingPeriod,
  billOf,
  linesOf,
  PAID,
  type Subscription,
  updateSubscription,
} from './test-subscription.server.ts';

type Db = Kysely<Tables>;

const EVERY_MS = 60 * 1000;

/** Bills what is due by now, again and again. */
export function testBilling({ db, notify }: FollowDeps): Interval {
  const deps = { db, notify: notifyUnlessAhead(notify) };
  return new Interval('test-billing-failed', EVERY_MS, async (isStopped) => {
    while (!isStopped() && (await billNext(deps)));
  });
}

export interface BillingEvent {
  orderId: number;
  what: 'renewed' | 'failed' | 'ended';
}

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
    const { orderId } = due;
    if (until !== undefined) await setClock(trx, due.periodEnd);
    const { what, ...state } = await endPeriod(trx, due);
    const cause = `test subscription ${what}`;
    await followPayment({ db: trx, notify }, orderId, { ...PAID, ...state }, cause);
    return { orderId, what };
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

type Step = Pick<PaymentState, 'invoices' | 'ended'> & Pick<BillingEvent, 'what'>;

async function endPeriod(trx: Db, subscription: Subscription): Promise<Step> {
  const { orderId, status, ending, periodStart, periodEnd, pendingCents, openCents } = subscription;
  const order = await lockOrder(trx, orderId);
  if (isOver(order.status)) return end(trx, orderId);
  if (status === 'past_due') {
    const unpaid = billOf(subscription, periodStart, cents(openCents ?? 0), false);
    return end(trx, orderId, [{ ...unpaid, waived: true }]);
  }
  if (!ending) return renew(trx, subscription);
  // What changes have come to is still owed when no month follows.
  const charge = chargeOf(pendingCents);
  if (charge === 0) return end(trx, orderId);
  const bills = subscription.bills + 1;
  const paid = cardOf(subscription.cardLast4).chargesLater;
  await updateSubscription(trx, orderId, { bills });
  const last = billOf({ ...subscription, bills }, periodEnd, charge, paid);
  return end(trx, orderId, [{ ...last, lines: [], waived: !paid }]);
}

/** The next month begins, with its bill. A card that fails leaves it unpaid until another card is entered. */
async function renew(trx: Db, subscription: Subscription): Promise<Step> {
  const { orderId, startedAt, months, bills, pendingCents, cardLast4, periodEnd } = subscription;
  const due = monthly(linesOf(subscription)) + pendingCents;
  const charge = chargeOf(due);
  const paid = charge === 0 || cardOf(cardLast4).chargesLater;
  const renewed: Partial<Subscription> = {
    ...billingPeriod(startedAt, months + 1),
    bills: bills + 1,
    pendingCents: due - charge,
    ...(paid ? {} : { status: 'past_due', openCents: charge }),
  };
  await updateSubscription(trx, orderId, renewed);
  const invoice = billOf({ ...subscription, ...renewed }, periodEnd, charge, paid);
  return { what: paid ? 'renewed' : 'failed', invoices: [invoice] };
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
  for (let next = await billNext(silent, until); next; next = await billNext(silent, until))
    counts[next.what] += 1;
  await db.transaction().execute(async (trx) => {
    await lockClock(trx);
    await setClock(trx, until);
  });
  return counts;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
