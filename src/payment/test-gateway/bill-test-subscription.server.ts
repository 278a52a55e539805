/**
 * A test subscription through time: the first month, each renewal, a card that fails and is tried again, the end. Each
 * step is one transaction with what the order makes of it, so that a kill leaves both agreeing.
 */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { BilledInvoice, PaymentState } from '../../orders/gateway.server.ts';
import { isOver } from '../../orders/order.ts';
import { lockOrder } from '../../orders/order-billing-store.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { chargeOf, monthly } from './proration.ts';
import { brandOfEnding, chargesLater, type TestCard } from './test-cards.ts';
import { lockClock, setClock, testNow } from './test-clock.server.ts';
import {
  insertSubscription,
  keepSubscription,
  linesOf,
  lockSubscription,
  markBilled,
  nextDue,
  periodOf,
  type Subscription,
  unbilled,
} from './test-subscription-store.server.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How many days after the first attempt a card is charged again; after the last one in vain it is over. */
const RETRY_DAYS = [3, 5, 8];

export const PAID: PaymentState = { status: 'succeeded', refused: false };

export interface BillingEvent {
  orderId: number;
  at: number;
  what: 'renewed' | 'failed' | 'ended';
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
    const { what, ...state } = await step(trx, locked, at);
    const why = `test subscription ${what}`;
    await followPayment({ db: trx, notify }, locked.orderId, { ...PAID, ...state }, why);
    return { orderId: locked.orderId, at, what };
  });
}

type Step = Pick<BillingEvent, 'what'> & Pick<PaymentState, 'invoices' | 'ended'>;

async function step(trx: Kysely<Tables>, known: Subscription, at: number): Promise<Step> {
  const { status } = await lockOrder(trx, known.orderId);
  if (isOver(status)) {
    await endSubscription(trx, known.orderId);
    return { what: 'ended', ended: true };
  }
  if (known.ending && known.status === 'active') return lastBill(trx, known, at);
  return known.status === 'active' ? renew(trx, known, at) : tryAgain(trx, known);
}

/** What changes have come to is still owed when no month follows. */
async function lastBill(trx: Kysely<Tables>, known: Subscription, at: number): Promise<Step> {
  const { charge } = chargeOf((await unbilled(trx, known.orderId)) - known.creditCents);
  await markBilled(trx, known.orderId);
  await endSubscription(trx, known.orderId);
  if (charge === 0) return { what: 'ended', ended: true };
  const bills = known.bills + 1;
  await keepSubscription(trx, known.orderId, { bills });
  const paid = chargesLater({ token: known.cardToken });
  const bill = billOf({ ...known, bills }, at, charge, paid);
  return { what: 'ended', ended: true, invoices: [{ ...bill, waived: !paid }] };
}

/** The next month begins, with its bill. */
async function renew(trx: Kysely<Tables>, known: Subscription, at: number): Promise<Step> {
  const differences = await unbilled(trx, known.orderId);
  const asked = monthly(linesOf(known)) + differences - known.creditCents;
  const { charge, credit } = chargeOf(asked);
  const paid = charge === 0 || chargesLater({ token: known.cardToken });
  const renewed = {
    ...periodOf(known.startedAt, known.months + 1),
    bills: known.bills + 1,
    creditCents: credit,
  };
  await markBilled(trx, known.orderId);
  await keepSubscription(trx, known.orderId, {
    ...renewed,
    ...(paid ? {} : unpaid(charge, 0, at)),
  });
  const bill = billOf({ ...known, ...renewed }, at, charge, paid);
  return { what: paid ? 'renewed' : 'failed', invoices: [bill] };
}

/** The bill that is open is charged once more, in vain: another card pays it when it is entered. */
async function tryAgain(trx: Kysely<Tables>, known: Subscription): Promise<Step> {
  if (known.tries < RETRY_DAYS.length) {
    const again = unpaid(cents(known.openCents ?? 0), known.tries, known.periodStart);
    await keepSubscription(trx, known.orderId, again);
    return { what: 'failed', invoices: [openBill(known, false)] };
  }
  await endSubscription(trx, known.orderId);
  return { what: 'ended', ended: true, invoices: [{ ...openBill(known, false), waived: true }] };
}

function unpaid(open: Cents, tries: number, firstAt: number): Partial<Subscription> {
  const nextAt = firstAt + (RETRY_DAYS[tries] ?? 0) * DAY_MS;
  return { status: 'past_due', openCents: open, tries: tries + 1, nextAt };
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

async function endSubscription(trx: Kysely<Tables>, orderId: number): Promise<void> {
  await keepSubscription(trx, orderId, { status: 'ended', nextAt: null });
}

function openBill(known: Subscription, paid: boolean): BilledInvoice {
  return billOf(known, known.periodStart, cents(known.openCents ?? 0), paid);
}

/** The newest bill. */
export function billOf(
  known: Subscription,
  at: number,
  amount: Cents,
  paid: boolean,
): BilledInvoice {
  const { orderId, bills, periodStart, periodEnd, cardLast4 } = known;
  return {
    id: testBillId(orderId, bills),
    number: `T-${orderId}-${String(bills).padStart(4, '0')}`,
    createdAt: at,
    amount,
    tax: cents(0),
    paid,
    renewal: bills > 1,
    periodStart,
    periodEnd,
    ...(paid && amount > 0 ? { cardBrand: brandOfEnding(cardLast4), cardLast4 } : {}),
  };
}

export function testBillId(orderId: number, bills: number): string {
  return `test_invoice_${orderId}_${bills}`;
}
