/**
 * Changes of prices and terms that customers were given notice of. Each payment provider charges the
 * new prices from the first renewal on; an order that is billed at them completes the change.
 */
import type { Generated } from 'kysely';
import type { Invoice } from '../billing/gateway.server.ts';
import { isRunning, ORDER_STATUSES } from '../billing/order-status.ts';
import { salesTax } from '../billing/subscription-store.server.ts';
import { type PriceLine, priceLinesOf, SOLD_KINDS } from '../catalogue/pricing.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { type Cents, cents, totalOf } from '../platform/money.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { OrderEvent } from './order-event.server.ts';
import type { Order, ProviderMode } from './order-store.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** One notice to one customer. */
    priceChanges: {
      id: Generated<number>;
      orderId: number;
      kind: 'price' | 'terms';
      state: 'announced' | 'taken-back' | 'charged';
      /** The lines before and after, as announced: JSON of `PriceLine[]`; empty for terms. */
      fromLines: string;
      toLines: string;
      /** The renewal that is the first at the new prices, or the day of the new terms. */
      effectiveAt: number;
      /** When a provider that must be told in advance had the new prices; null again once billed. */
      setUpAt: number | null;
      at: number;
      /** Of the member of staff. */
      accountId: number;
    };
  }
}

export type PriceChange = Row<'priceChanges'>;

/** A provider may begin a period a moment early or late; periods are weeks apart. */
const SAME_RENEWAL_MS = DAY_MS;

/** The newest change of the order's prices, whatever became of it. */
export function findPriceChange(db: Db, orderId: number): Promise<PriceChange | undefined> {
  return findNotice(db, orderId, 'price');
}

export async function findNotice(
  db: Db,
  orderId: number,
  kind: PriceChange['kind'],
): Promise<PriceChange | undefined> {
  return db
    .selectFrom('priceChanges')
    .selectAll()
    .where('orderId', '=', orderId)
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** All notices to the order's customer, the oldest first. */
export async function readNotices(db: Db, orderId: number): Promise<PriceChange[]> {
  const all = db.selectFrom('priceChanges').selectAll().where('orderId', '=', orderId);
  return all.orderBy('id').execute();
}

/** Still to be charged, or taken back while the provider still has the new prices. */
export function isOpen({ state, setUpAt }: PriceChange): boolean {
  return state === 'announced' || setUpAt !== null;
}

/** How long before its renewal a change is set up with a provider that must be told in advance. */
const SET_UP_MS = 6 * HOUR_MS;

/** Those that such a provider must be told of now, the most urgent first; `id`: only this one. */
export async function findPriceChangesToSetUp(
  db: Db,
  { provider, chargesRealMoney }: ProviderMode,
  now: number,
  id?: number,
): Promise<PriceChange[]> {
  const changes = db
    .selectFrom('priceChanges')
    .innerJoin('orders', 'orders.id', 'priceChanges.orderId')
    .innerJoin('subscriptions', 'subscriptions.orderId', 'orders.id')
    .selectAll('priceChanges')
    .where('kind', '=', 'price')
    .where('effectiveAt', '<=', now + SET_UP_MS)
    .where('orders.status', 'in', ORDER_STATUSES.filter(isRunning))
    .where('provider', '=', provider)
    .where('live', '=', chargesRealMoney ? 1 : 0)
    .where('subscriptions.status', '!=', 'paused')
    .where(({ eb, and, or }) =>
      or([
        and([
          eb('priceChanges.state', '=', 'announced'),
          eb('setUpAt', 'is', null),
          or([eb('cancelAt', 'is', null), eb('cancelAt', '>', eb.ref('effectiveAt'))]),
        ]),
        and([eb('priceChanges.state', '=', 'taken-back'), eb('setUpAt', 'is not', null)]),
      ]),
    );
  return (id === undefined ? changes : changes.where('priceChanges.id', '=', id))
    .orderBy('effectiveAt')
    .execute();
}

export async function updatePriceChange(
  db: Db,
  { id }: Pick<PriceChange, 'id'>,
  change: Partial<PriceChange>,
): Promise<void> {
  await db.updateTable('priceChanges').set(change).where('id', '=', id).execute();
}

/** Lines whose prices the provider may charge because of the change. */
export function expectedLines(change: PriceChange | undefined): PriceLine[] {
  if (!change || change.state === 'charged') return [];
  const { from, to } = pricesOf(change);
  return change.state === 'announced' ? [...from, ...to] : from;
}

/** The order's lines at the unit prices of `priced`; quantities and other lines stay. */
export function repriced(lines: readonly PriceLine[], priced: readonly PriceLine[]): PriceLine[] {
  return lines.map((line) => {
    const { unitPrice } = priced.find(({ kind }) => isSold(line) && kind === line.kind) ?? line;
    return unitPrice === line.unitPrice
      ? line
      : { ...line, unitPrice, amount: cents(unitPrice * line.quantity) };
  });
}

export function isSold({ kind }: Pick<PriceLine, 'kind'>): boolean {
  return SOLD_KINDS.some((sold) => sold === kind);
}

export function pricesOf({ fromLines, toLines }: PriceChange) {
  return {
    from: priceLinesOf({ priceLines: fromLines }),
    to: priceLinesOf({ priceLines: toLines }),
  };
}

/** Whether the renewal that starts then is charged at the new prices. */
export function isDue({ state, effectiveAt }: PriceChange, renewal: number): boolean {
  return state === 'announced' && renewal >= effectiveAt - SAME_RENEWAL_MS;
}

/** What the order is charged before and after an announced change, at its present quantities. */
export function announcedLines({ subscription }: Order, change: PriceChange) {
  const lines = priceLinesOf(subscription);
  const { from, to } = pricesOf(change);
  return {
    before: change.setUpAt === null ? lines : repriced(lines, from),
    after: repriced(lines, to),
  };
}

/**
 * The next invoice as it will be: until a change is set up, the provider has the old prices. `lines`
 * are the monthly ones at those.
 */
export function atNewPrices<Next extends { total: Cents; tax: Cents }>(
  next: Next,
  renewal: number,
  lines: readonly PriceLine[],
  { subscription }: Order,
  change: PriceChange | undefined,
): Next {
  if (!change || change.setUpAt !== null || !isDue(change, renewal)) return next;
  const difference = totalOf(repriced(lines, pricesOf(change).to)) - totalOf(lines);
  const tax = Math.round(
    (difference * salesTax(subscription)) / Math.max(1, subscription.amountCents),
  );
  return { ...next, total: cents(next.total + difference + tax), tax: cents(next.tax + tax) };
}

/**
 * Completes the change once a renewal was billed at the new prices. One that was billed at the old
 * prices, as after an outage, moves the change to the next renewal; staff are notified.
 */
export async function settlePriceChange(
  trx: Db,
  change: PriceChange,
  invoices: readonly Invoice[],
): Promise<{ event: OrderEvent }[]> {
  const { to } = pricesOf(change);
  const events: { event: OrderEvent }[] = [];
  let { effectiveAt } = change;
  const startOf = ({ periodStart, createdAt }: Invoice) => periodStart ?? createdAt;
  for (const invoice of invoices.toSorted((one, other) => startOf(one) - startOf(other))) {
    const { renewal, lines, amount, number, id, periodEnd } = invoice;
    if (!renewal || !lines || !isDue({ ...change, effectiveAt }, startOf(invoice))) continue;
    const isNew = repriced(lines, to).every((line, index) => line === lines[index]);
    if (isNew) {
      await updatePriceChange(trx, change, { state: 'charged', effectiveAt, setUpAt: null });
      return [...events, { event: { kind: 'new-price-charged', amount } }];
    }
    events.push({ event: { kind: 'old-price-charged', invoice: number ?? id, amount } });
    effectiveAt = periodEnd ?? effectiveAt + SAME_RENEWAL_MS * 2;
    await updatePriceChange(trx, change, { effectiveAt, setUpAt: null });
  }
  return events;
}
