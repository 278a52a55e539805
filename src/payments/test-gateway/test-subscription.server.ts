/** The test gateway's subscriptions and their monthly invoices. */
import type { Generated } from 'kysely';
import { type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import {
  type Charge,
  type Invoice,
  NOTHING_TRIED,
  type PaymentState,
} from '../../orders/gateway.server.ts';
import { monthsLater } from '../../orders/order.ts';
import type { Order } from '../../orders/order-store.server.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Db, Row } from '../../platform/database/tables.server.ts';
import { cents, totalOf } from '../../platform/money.ts';
import { DAY_MS } from '../../platform/time.ts';
import { brandOfLast4 } from './test-cards.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testSubscriptions: {
      orderId: number;
      /** The billing anchor. */
      startedAt: number;
      /** How many have begun since the first; each has an invoice. */
      months: number;
      periodStart: number;
      periodEnd: number;
      /** The monthly price: JSON of `PriceLine[]`. A change is charged from the next month. */
      lines: string;
      status: 'active' | 'past_due' | 'ended';
      /** 1 when the subscription ends with the current period. */
      ending: Generated<Flag>;
      /** '' when the customer pays by invoice. */
      cardLast4: string;
      /** The decision and amount of the last refund. */
      refundKey: Generated<string | null>;
    };
  }
}

export type Subscription = Row<'testSubscriptions'>;

export const NOT_RUNNING = { refused: 'No subscription is running for this order.' };

/** The state of an order whose first payment has succeeded. */
export const PAID: PaymentState = { status: 'succeeded', refused: false };

/** What changes nothing about the payment of a running order. */
export function stateOf({ dueDays }: Pick<Order, 'dueDays'>): PaymentState {
  return dueDays === null ? PAID : NOTHING_TRIED;
}

/**
 * Returns the first invoice, which is paid by now unless it is to be paid by bank; nothing when the
 * order already has a subscription.
 */
export async function insertSubscription(
  trx: Db,
  order: Pick<Order, 'id' | 'priceLines' | 'dueDays'>,
  cardLast4: string,
): Promise<Invoice[]> {
  const startedAt = Date.now();
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
  return inserted ? [invoiceOf(inserted, order.dueDays === null, order)] : [];
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
export function billingPeriod(startedAt: number, months: number) {
  const start = new Date(startedAt);
  const periodStart = monthsLater(start, months).getTime();
  return { months, periodStart, periodEnd: monthsLater(start, months + 1).getTime() };
}

export function linesOf({ lines }: Pick<Subscription, 'lines'>): PriceLine[] {
  return priceLinesOf({ priceLines: lines });
}

/** The invoice of the subscription's current month. */
export function invoiceOf(
  subscription: Subscription,
  paid: boolean,
  { dueDays }: Pick<Order, 'dueDays'>,
): Invoice {
  const { orderId, months, periodStart, periodEnd, cardLast4 } = subscription;
  const lines = linesOf(subscription);
  const createdAt = Date.now();
  return {
    id: `test_invoice_${orderId}_${months + 1}`,
    number: `T-${orderId}-${String(months + 1).padStart(4, '0')}`,
    createdAt,
    amount: totalOf(lines),
    tax: cents(0),
    paid,
    renewal: months > 0,
    periodStart,
    periodEnd,
    lines,
    ...(dueDays !== null && { dueAt: createdAt + dueDays * DAY_MS }),
    ...(paid && cardLast4 && { cardBrand: brandOfLast4(cardLast4), cardLast4 }),
    ...(paid && { fee: cents(0), chargeId: `charge_test_invoice_${orderId}_${months + 1}` }),
  };
}

/** What remains to be told of a stored invoice once its customer's bank has moved, or money came outside. */
export function settled(
  invoice: Row<'orderInvoices'>,
  how: 'paid' | 'outside' | 'returned',
): Invoice {
  const { id, createdAt, amountCents: amount, dueAt, lines } = invoice;
  return {
    id,
    createdAt,
    amount,
    paid: how !== 'returned' || invoice.paid === 1,
    // The first month's receipt is that of the order.
    renewal: !id.endsWith('_1'),
    dueAt: dueAt ?? undefined,
    attempt: how === 'returned' ? 'failed' : null,
    outside: how === 'outside',
    lines: priceLinesOf({ priceLines: lines }),
    ...(how === 'paid' && { fee: cents(0), chargeId: `charge_${id}` }),
  };
}

/** The charge that paid the invoice, with what was refunded of it. */
export async function chargeOf(
  trx: Db,
  { id: invoiceId, amountCents: amount }: Row<'orderInvoices'>,
): Promise<Charge> {
  const id = `charge_${invoiceId}`;
  const { refundedCents: refunded = cents(0) } =
    (await trx
      .selectFrom('orderCharges')
      .select('refundedCents')
      .where('id', '=', id)
      .executeTakeFirst()) ?? {};
  return { id, amount, refunded };
}
