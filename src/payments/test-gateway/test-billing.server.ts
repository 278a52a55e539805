/**
 * Test subscriptions through time: each period ends with a bill, or with the end of the subscription. Each step is one
 * transaction with what the order makes of it, so that a kill leaves both agreeing.
 */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { PaymentState } from '../../orders/gateway.server.ts';
import { isOver } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-billing-store.server.ts';
import { isDatabaseAway } from '../../platform/database/database-away.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { logFault } from '../../platform/log.server.ts';
import { cents } from '../../platform/money.ts';
import type { MovedClock } from '../payment-api.ts';
import { chargeOf, monthly } from './proration.ts';
import { chargesLater } from './test-cards.ts';
import { lockClock, notifyUnlessAhead, setClock, testNow } from './test-clock.server.ts';
import {
  billingPeriod,
  billOf,
  linesOf,
  lockSubscription,
  PAID,
  type Subscription,
  updateSubscription,
} from './test-subscription.server.ts';

const EVERY_MS = 60 * 1000;

/** Of several instances one at a time takes a step, and each step is taken once. */
export function testBilling({ db, notify }: FollowDeps): Interval {
  const deps = { db, notify: notifyUnlessAhead(notify) };
  return new Interval('test-billing-failed', EVERY_MS, async (isStopped) => {
    const failed: number[] = [];
    while (!isStopped() && (await billNext(deps, { failed })));
  });
}

export interface BillingEvent {
  orderId: number;
  at: number;
  what: MovedClock['events'][number]['what'];
}

interface BillNext {
  /** Bills what is due up to this time, and moves the clock to it; without it, what is due by now. */
  until?: number;
  /** Orders whose bill has met a fault, which is logged; they are passed over. */
  failed?: number[];
}

/** Bills the subscription whose period ends first. Undefined when nothing is due. */
export async function billNext(
  deps: FollowDeps,
  { until, failed = [] }: BillNext = {},
): Promise<BillingEvent | undefined> {
  for (;;) {
    // Read without a lock first: most of the time nothing is due.
    const due = await nextDue(deps.db, until ?? (await testNow(deps.db)), failed);
    if (!due) return undefined;
    try {
      const event = await bill(deps, due, until !== undefined);
      if (event) return event;
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      logFault('test-billing-failed', error, { orderId: due.orderId });
      failed.push(due.orderId);
    }
  }
}

async function nextDue(
  db: Kysely<Tables>,
  until: number,
  failed: readonly number[],
): Promise<Subscription | undefined> {
  return db
    .selectFrom('testSubscriptions')
    .selectAll()
    .where('status', '!=', 'ended')
    .where('periodEnd', '<=', until)
    .$if(failed.length > 0, (query) => query.where('orderId', 'not in', failed))
    .orderBy('periodEnd')
    .orderBy('orderId')
    .limit(1)
    .executeTakeFirst();
}

/** Undefined when another instance was faster. */
function bill(
  { db, notify }: FollowDeps,
  { orderId, periodEnd: at }: Subscription,
  movesClock: boolean,
): Promise<BillingEvent | undefined> {
  return db.transaction().execute(async (trx) => {
    await lockClock(trx);
    const locked = await lockSubscription(trx, orderId);
    if (locked?.periodEnd !== at || locked.status === 'ended') return undefined;
    if (movesClock) await setClock(trx, at);
    const { what, ...state } = await endPeriod(trx, locked);
    const cause = `test subscription ${what}`;
    await followPayment({ db: trx, notify }, orderId, { ...PAID, ...state }, cause);
    return { orderId, at, what };
  });
}

type Step = Pick<PaymentState, 'invoices' | 'ended'> & Pick<BillingEvent, 'what'>;

async function endPeriod(trx: Kysely<Tables>, subscription: Subscription): Promise<Step> {
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
  const paid = chargesLater({ token: subscription.cardToken });
  await updateSubscription(trx, orderId, { bills });
  const last = billOf({ ...subscription, bills }, periodEnd, charge, paid);
  return end(trx, orderId, [{ ...last, lines: [], waived: !paid }]);
}

/** The next month begins, with its bill. A card that fails leaves it unpaid until another card is entered. */
async function renew(trx: Kysely<Tables>, subscription: Subscription): Promise<Step> {
  const { orderId, startedAt, months, bills, pendingCents, cardToken, periodEnd } = subscription;
  const asked = monthly(linesOf(subscription)) + pendingCents;
  const charge = chargeOf(asked);
  const paid = charge === 0 || chargesLater({ token: cardToken });
  const renewed: Partial<Subscription> = {
    ...billingPeriod(startedAt, months + 1),
    bills: bills + 1,
    pendingCents: asked - charge,
    ...(paid ? {} : { status: 'past_due', openCents: charge }),
  };
  await updateSubscription(trx, orderId, renewed);
  const invoice = billOf({ ...subscription, ...renewed }, periodEnd, charge, paid);
  return { what: paid ? 'renewed' : 'failed', invoices: [invoice] };
}

async function end(
  trx: Kysely<Tables>,
  orderId: number,
  invoices: Step['invoices'] = [],
): Promise<Step> {
  await updateSubscription(trx, orderId, { status: 'ended' });
  return { what: 'ended', ended: true, invoices };
}
