/** All queries of the test gateway's subscriptions. */
import type { Kysely } from 'kysely';
import { type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import { monthsLater } from '../../orders/billing-dates.ts';
import { selectForUpdate } from '../../platform/database/select-for-update.server.ts';
import type { NewRow, Row, Tables } from '../../platform/database/tables.server.ts';
import { expiryYear, type TestCard } from './test-cards.ts';

type Db = Kysely<Tables>;
export type Subscription = Row<'testSubscriptions'>;

export async function findSubscription(db: Db, orderId: number): Promise<Subscription | undefined> {
  return db
    .selectFrom('testSubscriptions')
    .selectAll()
    .where('orderId', '=', orderId)
    .executeTakeFirst();
}

/** Nobody else changes it until the transaction ends. */
export async function lockSubscription(
  trx: Db,
  orderId: number,
): Promise<Subscription | undefined> {
  return selectForUpdate(
    trx.selectFrom('testSubscriptions').selectAll().where('orderId', '=', orderId),
    trx,
  ).executeTakeFirst();
}

/** One that has not ended; in a transaction nobody else changes it until that ends. */
export async function findRunning(on: Db, orderId: number): Promise<Subscription | undefined> {
  const found = on.isTransaction
    ? await lockSubscription(on, orderId)
    : await findSubscription(on, orderId);
  return found?.status === 'ended' ? undefined : found;
}

export async function keepSubscription(
  trx: Db,
  orderId: number,
  change: Partial<Subscription>,
): Promise<void> {
  await trx.updateTable('testSubscriptions').set(change).where('orderId', '=', orderId).execute();
}

/** The one whose turn is first, up to this time. */
export async function nextDue(db: Db, until: number): Promise<Subscription | undefined> {
  return db
    .selectFrom('testSubscriptions')
    .selectAll()
    .where('nextAt', '<=', until)
    .orderBy('nextAt')
    .orderBy('orderId')
    .limit(1)
    .executeTakeFirst();
}

export interface Beginning {
  order: Pick<Row<'orders'>, 'id' | 'priceLines'>;
  startedAt: number;
  /** The months that have passed already. */
  months: number;
  card: TestCard;
}

/** Gives the subscription, and undefined when the order has one already. */
export async function insertSubscription(
  trx: Db,
  { order, startedAt, months, card }: Beginning,
): Promise<Subscription | undefined> {
  const begun: NewRow<'testSubscriptions'> = {
    orderId: order.id,
    startedAt,
    ...periodOf(startedAt, months),
    lines: order.priceLines,
    creditCents: 0,
    changedAt: 0,
    peakCents: 0,
    status: 'active',
    ending: 0,
    bills: 1,
    openCents: null,
    tries: 0,
    cardToken: card.token,
    cardLast4: card.last4,
    cardYear: expiryYear(startedAt),
  };
  return trx
    .insertInto('testSubscriptions')
    .values(begun)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** A month begins on the day of the first one, or on the last day of a month that is too short. */
export function periodOf(startedAt: number, months: number) {
  const start = new Date(startedAt);
  const periodStart = monthsLater(start, months).getTime();
  const periodEnd = monthsLater(start, months + 1).getTime();
  return { months, periodStart, periodEnd, nextAt: periodEnd };
}

export function linesOf({ lines }: Pick<Subscription, 'lines'>): PriceLine[] {
  return priceLinesOf({ priceLines: lines });
}
