/**
 * A test subscription through time: the first month, each renewal, a card that fails and is tried again, the end. Each
 * step is one transaction with what the order makes of it, so that a kill leaves both agreeing.
 */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { BilledInvoice } from '../../orders/gateway.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { type BillingStep, billingStep } from './billing-step.server.ts';
import { billOf, openBill, PAID } from './test-bill.server.ts';
import type { TestCard } from './test-cards.ts';
import { lockClock, setClock, testNow } from './test-clock.server.ts';
import {
  insertSubscription,
  keepSubscription,
  lockSubscription,
  nextDue,
  periodOf,
  type Subscription,
} from './test-subscription-store.server.ts';

export interface BillingEvent {
  orderId: number;
  at: number;
  what: BillingStep['what'];
}

/** The first month has just been paid: it begins now. What is given is the bill for the order to follow. */
export async function beginSubscription(
  trx: Kysely<Tables>,
  order: Pick<Row<'orders'>, 'id' | 'priceLines' | 'amountCents'>,
  card: TestCard,
): Promise<BilledInvoice[]> {
  const startedAt = await testNow(trx);
  const begun = await insertSubscription(trx, { order, startedAt, months: 0, card });
  return begun ? [billOf(begun, startedAt, cents(order.amountCents), true)] : [];
}

/**
 * Does what is due next, if that is before `until` or, without it, before now. The clock goes to that moment, so that
 * what is due stays in its order when the process is stopped in between; undefined when nothing is due.
 */
export async function billNext(
  { db, notify }: FollowDeps,
  until?: number,
): Promise<BillingEvent | undefined> {
  // Asked without a lock first: most of the time there is nothing.
  if (!(await nextDue(db, until ?? (await testNow(db))))) return undefined;
  return db.transaction().execute(async (trx) => {
    const now = await lockClock(trx);
    const due = await nextDue(trx, until ?? now);
    const locked = due && (await lockSubscription(trx, due.orderId));
    if (!locked?.nextAt) return undefined;
    const at = locked.nextAt;
    if (until !== undefined) await setClock(trx, at);
    const { what, ...state } = await billingStep(trx, locked, at);
    const why = `test subscription ${what}`;
    await followPayment({ db: trx, notify }, locked.orderId, { ...PAID, ...state }, why);
    return { orderId: locked.orderId, at, what };
  });
}

/** What is overdue has been charged: the subscription runs again. */
export async function payOpen(trx: Kysely<Tables>, known: Subscription): Promise<BilledInvoice[]> {
  const { nextAt } = periodOf(known.startedAt, known.months);
  await keepSubscription(trx, known.orderId, {
    status: 'active',
    openCents: null,
    tries: 0,
    nextAt,
  });
  return [openBill(known, true)];
}
