/**
 * Changes of prices and terms with notice. An order that is billed at them completes the change.
 */
import type { Generated } from 'kysely';
import {
  isAtPrices,
  isHigher,
  type PriceLine,
  priceLinesOf,
  repriced,
} from '../catalogue/pricing.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { cents, totalOf } from '../platform/money.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { PricesToCome } from './gateway.server.ts';
import type { ReportedInvoice } from './invoice-store.server.ts';
import { monthlyOf, type OrderEvent } from './order-event.server.ts';
import { isRunning, ORDER_STATUSES } from './order-status.ts';
import { isAt, type Order, type ProviderMode } from './order-store.server.ts';
import { isOpen, isWithdrawn, type PriceChangeState } from './price-change.ts';
import { chargedFor } from './subscription-store.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** One notice to one customer. */
    priceChanges: {
      id: Generated<number>;
      orderId: number;
      kind: 'price' | 'terms';
      state: PriceChangeState;
      /** The lines before and after, as announced: JSON of `PriceLine[]`; empty for terms. */
      fromLines: string;
      toLines: string;
      /** The renewal that is the first at the new prices, or the day of the new terms. */
      effectiveAt: number;
      at: number;
      /** When its email was accepted, or staff had delivered it by hand. */
      deliveredAt: number | null;
      /** Of the member of staff. */
      accountId: number;
    };
  }
}

export type PriceChange = Row<'priceChanges'>;

/** A provider may begin a period a moment early or late; periods are weeks apart. */
export const SAME_RENEWAL_MS = DAY_MS;

/** The newest change of the order's prices, or of its terms, whatever became of it. */
export function findPriceChange(
  db: Db,
  orderId: number,
  kind: PriceChange['kind'] = 'price',
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

/** How long the email of a notice may be on its way. */
const ON_ITS_WAY_MS = DAY_MS;

/** Its renewal is still to come, and the customer knows it. A lower price needs no notice. */
export function isComing(change: PriceChange): boolean {
  const isKnown = change.deliveredAt !== null || Date.now() < change.at + ON_ITS_WAY_MS;
  return isOpen(change) && !isWithdrawn(change) && (isKnown || !isRaised(change));
}

export function isRaised(change: PriceChange): boolean {
  const { from, to } = pricesOf(change);
  return isHigher(from, to);
}

/** How long before its renewal a change is applied at a provider that needs it in advance. */
export const APPLY_MS = 6 * HOUR_MS;

/** Those about which such a provider must be asked, the most urgent first; `id`: only this. */
export async function findPriceChangesToApply(
  db: Db,
  mode: ProviderMode,
  now: number,
  id?: number,
): Promise<PriceChange[]> {
  const changes = db
    .selectFrom('priceChanges')
    .innerJoin('orders', 'orders.id', 'priceChanges.orderId')
    .innerJoin('subscriptions', 'subscriptions.orderId', 'orders.id')
    .selectAll('priceChanges')
    .where('kind', '=', 'price')
    .where('orders.status', 'in', ORDER_STATUSES.filter(isRunning))
    .where(isAt(mode))
    .where(({ eb, and, or }) =>
      or([
        eb('priceChanges.state', 'in', ['applying', 'restoring']),
        and([
          eb('priceChanges.state', '=', 'announced'),
          eb('effectiveAt', '<=', now + APPLY_MS),
          eb('subscriptions.status', '!=', 'paused'),
          or([eb('cancelAt', 'is', null), eb('cancelAt', '>', eb.ref('effectiveAt'))]),
        ]),
      ]),
    );
  const asked = id === undefined ? changes : changes.where('priceChanges.id', '=', id);
  const found = await asked.orderBy('effectiveAt').execute();
  return found.filter((change) => change.state !== 'announced' || isComing(change));
}

/** Returns whether the change was in this state. */
export async function moveState(
  db: Db,
  { id, state }: Pick<PriceChange, 'id' | 'state'>,
  to: Partial<PriceChange>,
): Promise<boolean> {
  const moved = db.updateTable('priceChanges').set(to).where('id', '=', id);
  return (await moved.where('state', '=', state).returning('id').execute()).length > 0;
}

async function updatePriceChange(
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
  return isKnownThere(change) || change.state === 'restoring' ? [...from, ...to] : from;
}

/** Whether the provider may have the new prices. */
export function isKnownThere({ state }: Pick<PriceChange, 'state'>): boolean {
  return state === 'applying' || state === 'applied';
}

export function pricesOf({ fromLines, toLines }: PriceChange) {
  return {
    from: priceLinesOf({ priceLines: fromLines }),
    to: priceLinesOf({ priceLines: toLines }),
  };
}

/** Whether the renewal that starts then is charged at the new prices. */
export function isDue(change: PriceChange, renewal: number): boolean {
  return isComing(change) && isFrom(change, renewal);
}

function isFrom({ effectiveAt }: Pick<PriceChange, 'effectiveAt'>, renewal: number) {
  return renewal >= effectiveAt - SAME_RENEWAL_MS;
}

/** What the order is charged before and after an announced change, at its present quantities. */
export function announcedLines({ subscription }: Order, change: PriceChange) {
  const lines = priceLinesOf(subscription);
  const { from, to } = pricesOf(change);
  return {
    before: change.state === 'announced' ? lines : repriced(lines, from),
    after: repriced(lines, to),
  };
}

/** Until the renewal, today's price holds, also when the provider has the new one. */
export function asToday(order: Order, change: PriceChange | undefined): Order {
  if (!change || !isOpen(change)) return order;
  const { subscription } = order;
  const { before } = announcedLines(order, change);
  return { ...order, subscription: { ...subscription, ...chargedFor(subscription, before) } };
}

/** The prices that will hold at the provider, and from which renewal on. */
export function pricesToCome(change: PriceChange | undefined): PricesToCome | undefined {
  if (!change) return undefined;
  const { from, to } = pricesOf(change);
  if (change.state === 'restoring') return { prices: from, at: 0 };
  return isComing(change) ? { prices: to, at: change.effectiveAt - SAME_RENEWAL_MS } : undefined;
}

/**
 * Completes the change once a renewal was billed at the new prices. One that was billed at the old
 * prices, as after an outage, moves the change to the next renewal. Staff are notified of that, and
 * of a renewal at prices that had been taken back, of which the customer reads as well. `order` has
 * what it is charged now.
 */
export async function settlePriceChange(
  trx: Db,
  order: Order,
  change: PriceChange,
  invoices: readonly ReportedInvoice[],
): Promise<{ event: OrderEvent }[]> {
  const isWithdrawn = change.state === 'restoring';
  if (!isComing(change) && !isWithdrawn) return [];
  const { from, to } = pricesOf(change);
  const events: { event: OrderEvent }[] = [];
  let { effectiveAt } = change;
  const startOf = ({ periodStart, createdAt }: ReportedInvoice) => periodStart ?? createdAt;
  for (const invoice of invoices.toSorted((one, other) => startOf(one) - startOf(other))) {
    const { renewal, lines, amountCents: amount, number, id, periodEnd, status } = invoice;
    if (!renewal || !lines?.length || !isFrom({ effectiveAt }, startOf(invoice))) continue;
    const isNew = isAtPrices(lines, to);
    // No one pays what was voided: billing is paused, or staff corrected it.
    const isBilled = status !== 'void';
    if (isNew && isBilled && !isWithdrawn) {
      await updatePriceChange(trx, change, { state: 'charged', effectiveAt });
      const event = { kind: 'new-price-charged', amount, monthly: monthlyOf(order) } as const;
      return [...events, { event }];
    }
    const name = number ?? id;
    const next = periodEnd ?? effectiveAt + SAME_RENEWAL_MS * 2;
    if (isBilled && !isWithdrawn)
      events.push({ event: { kind: 'old-price-charged', invoice: name, amount } });
    else if (isBilled && isNew) {
      const before = totalOf(repriced(lines, from));
      const more = cents(totalOf(lines) - before);
      events.push({ event: { kind: 'withdrawn-price-charged', invoice: name, amount, more } });
    }
    effectiveAt = next;
    // Without the day of the new one, the provider may have the new prices a month early.
    const state = change.state === 'applied' ? 'applying' : change.state;
    await updatePriceChange(trx, change, { effectiveAt, state });
  }
  return events;
}
