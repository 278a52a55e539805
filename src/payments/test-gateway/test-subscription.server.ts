/** A subscription of the test gateway as it is stored, the bills that it makes, and what a change adds to the next one. */
import type { Generated } from 'kysely';
import { type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { BilledInvoice, PaymentState } from '../../orders/gateway.server.ts';
import { monthsLater } from '../../orders/order.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Db, Flag, Row } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { DAY_MS } from '../../platform/time.ts';
import { cardOf } from './test-cards.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testSubscriptions: TestSubscriptionTable;
  }
}

/** Times are in milliseconds, in whole seconds. */
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

/** The state of an order whose first payment has succeeded. */
export const PAID: PaymentState = { status: 'succeeded', refused: false };

/** Gives the paid first bill; none when the order has a subscription already. */
export async function insertSubscription(
  trx: Db,
  order: Pick<Row<'orders'>, 'id' | 'priceLines' | 'amountCents'>,
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
export function billingPeriod(startedAt: number, months: number) {
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
    id: testBillId(orderId, months),
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

export function testBillId(orderId: number, months: number): string {
  return `test_invoice_${orderId}_${months + 1}`;
}
