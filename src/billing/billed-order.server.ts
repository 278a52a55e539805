/** An order with what runs, what is asked for and what was paid, and what follows. */
import { chunk } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { type Cents, sumOf } from '../platform/money.ts';
import type { Charge } from './charge-store.server.ts';
import {
  BY_CARD,
  type CollectionState,
  type InvoiceState,
  invoiceStateOf,
  mostPressing,
} from './invoice.ts';
import {
  byNewest,
  firstOwed,
  type Invoice,
  isByBank,
  isTakenBack,
  owedOf,
} from './invoice-store.server.ts';
import type { Billed } from './order-status.ts';
import type { Dispute } from './subscription.ts';
import { type SubscribedOrder, withSubscriptions } from './subscription-store.server.ts';

export type Order = SubscribedOrder & {
  /** Newest first. */
  invoices: Invoice[];
  charges: Charge[];
};

/** In the same sequence. */
export async function withBilling(db: Db, orders: readonly Row<'orders'>[]): Promise<Order[]> {
  const all = (await withSubscriptions(db, orders)).map(
    (order): Order => ({ ...order, invoices: [], charges: [] }),
  );
  const found = new Map(all.map((order) => [order.id, order]));
  for (const ids of chunk([...found.keys()])) {
    const invoices = db.selectFrom('invoices').selectAll().where('orderId', 'in', ids);
    for (const row of (await invoices.execute()).sort(byNewest))
      found.get(row.orderId)?.invoices.push(row);
    const charges = db.selectFrom('charges').selectAll().where('orderId', 'in', ids);
    for (const row of await charges.execute()) found.get(row.orderId)?.charges.push(row);
  }
  return all;
}

export function refundedOf({ charges }: Pick<Order, 'charges'>): Cents {
  return sumOf(charges.map(({ refundedCents }) => refundedCents));
}

/** The dispute that matters most: one that staff can answer, or money that is lost. */
export function disputeOf({ charges }: Pick<Order, 'charges'>): Dispute | null {
  const all = charges.map(({ dispute }) => dispute);
  return (['open', 'lost', 'won'] as const).find((dispute) => all.includes(dispute)) ?? null;
}

/** Banks gave back all of it. Where staff refunded the rest, the plan goes on. */
function isLost({ lostCents, amountCents }: Charge): boolean {
  return lostCents >= amountCents;
}

/** Null when a card is charged, unless something is owed by bank. Before the first, it is sent. */
export function invoiceStateOfOrder(
  order: Pick<Order, 'subscription' | 'invoices'>,
): InvoiceState | null {
  const isByCard = order.subscription.collection === 'card';
  const invoices = isByCard ? owedOf(order) : order.invoices;
  return mostPressing(invoices.map(invoiceStateOf)) ?? (isByCard ? null : 'sent');
}

export function paymentOf(order: Pick<Order, 'subscription' | 'invoices'>): CollectionState {
  const { collection } = order.subscription;
  const dueDay = firstOwed(order)?.dueDay ?? null;
  return { collection, state: invoiceStateOfOrder(order), dueDay };
}

/** Of one month, which keeps the way it was to be paid. */
export function paymentOfMonth(invoice: Invoice): CollectionState {
  const { dueDay } = invoice;
  if (!isByBank(invoice)) return BY_CARD;
  return { collection: 'invoice', state: invoiceStateOf(invoice), dueDay };
}

/** What is charged once goes back without ending a plan that starts later. */
export function isToStart({ startsOn, invoices }: Pick<Order, 'startsOn' | 'invoices'>): boolean {
  return startsOn !== null && !invoices.some((one) => one.status === 'paid' && one.periodStart);
}

/** Derived from everything stored, so the order of arrival does not matter. */
export function billedOf(order: Order): Billed {
  const { invoices, charges } = order;
  const paid = invoices.filter(({ status }) => status === 'paid');
  const kept = paid.filter((invoice) => !isTakenBack(invoice));
  // A charge counts, since its invoice may be reported later; a part of an unpaid invoice does not.
  const counted = charges.filter(({ invoiceId }) =>
    invoices.every((invoice) => invoice.id !== invoiceId || kept.includes(invoice)),
  );
  const chargedCents = Math.max(
    sumOf(kept.map(({ amountPaidCents }) => amountPaidCents)),
    sumOf(counted.map(({ amountCents }) => amountCents)),
  );
  const lastPaidAt = Math.max(0, ...paid.map(({ createdAt }) => createdAt));
  return {
    // Staff may have voided the first one and issued another.
    firstAttempt: invoices.findLast(({ status }) => status !== 'void')?.attempt ?? null,
    paid: paid.length > 0 || counted.length > 0,
    asked: invoices.length > 0,
    overdue:
      paid.some((invoice) => invoice.dueDay !== null && isTakenBack(invoice)) ||
      invoices.some(
        ({ status, createdAt, dueDay, overdue }) =>
          status === 'open' && (dueDay === null ? createdAt >= lastPaidAt : overdue === 1),
      ),
    refunded: refundedOf({ charges }),
    reversed:
      charges.some(isLost) ||
      (counted.length > 0 && refundedOf({ charges: counted }) >= chargedCents && !isToStart(order)),
  };
}
