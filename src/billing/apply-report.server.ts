/** What a payment provider reports of an order is applied: load what is known, settle, store. */
import type { InTransaction } from '../notifications/notification.server.ts';
import type { Trx } from '../platform/database/tables.server.ts';
import type { Cents } from '../platform/money.ts';
import type { Site } from '../site.server.ts';
import type { Order } from './billed-order.server.ts';
import { bySite, type Cause } from './cause.server.ts';
import { saveCharges } from './charge-store.server.ts';
import type { PaymentState } from './gateway.server.ts';
import { saveInvoices } from './invoice-store.server.ts';
import { findNotice, updateNotice } from './notice-store.server.ts';
import { changedThere, correctOrder, moveStart } from './order-details.server.ts';
import { findEvent, hasCaused, recordEvent } from './order-event-store.server.ts';
import { isOver } from './order-status.ts';
import { lockOrder, updateOrder } from './order-store.server.ts';
import { type Known, type Settled, settle } from './settle.server.ts';

/**
 * 'outdated': the order changed after the provider was called, so the answer may be older than the
 * order.
 */
export type FollowedOrder = Order | 'outdated';

export function applyUnlessOutdated(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  was: Order,
  payment: PaymentState,
  cause: Cause,
): Promise<FollowedOrder> {
  return db.transaction().execute(async (trx) => {
    const { version } = await lockOrder(trx, was.id);
    return version === was.version
      ? applyReport({ db: trx, notify }, was.id, payment, cause)
      : 'outdated';
  });
}

/**
 * Applies a payment state and returns the updated order. What it makes of the order is decided by
 * `settle`.
 */
export async function applyReport(
  { db: trx, notify }: InTransaction,
  orderId: number,
  report: PaymentState,
  cause: Cause,
): Promise<Order> {
  const known = await load(trx, orderId, report, cause);
  const settled = settle(known, report, cause);
  const after = await store(trx, known, settled);
  for (const event of settled.events)
    await recordEvent({ db: trx, notify }, settled.order, event, event.cause);
  return applyCustomer({ db: trx, notify }, after, report);
}

/** The same in a transaction of its own. */
export function followReport(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  { id }: Pick<Order, 'id'>,
  report: PaymentState,
  cause: Cause,
): Promise<Order> {
  return db.transaction().execute((trx) => applyReport({ db: trx, notify }, id, report, cause));
}

/** Who is billed, and from which day on, may have been changed at the provider. */
async function applyCustomer(
  context: InTransaction,
  order: Order,
  report: PaymentState,
): Promise<Order> {
  const { details, seenCustomer } = changedThere(order, report);
  if (seenCustomer !== undefined) {
    const own = context.db.updateTable('subscriptions').where('orderId', '=', order.id);
    await own.set({ seenCustomer }).execute();
  }
  const corrected = await correctOrder(context, order, details, bySite());
  const { startsOn = null } = report;
  return startsOn === null ? corrected : moveStart(context, corrected, startsOn);
}

/** Locks the order. */
async function load(
  trx: Trx,
  orderId: number,
  report: PaymentState,
  { causeId }: Cause,
): Promise<Known> {
  const { changePress, invoices = [] } = report;
  const order = await lockOrder(trx, orderId);
  const notice = isOver(order.status) ? undefined : await findNotice(trx, orderId);
  const isUnused = changePress !== undefined && !(await hasCaused(trx, orderId, changePress));
  const cameOutside = new Map<string, Cents>();
  for (const { paidOutOfBand, paidPress } of invoices)
    for (const id of paidOutOfBand ? [paidPress, causeId] : []) {
      const { event } = (id && (await findEvent(trx, id))) || {};
      if (event?.kind === 'paid-outside-asked' && event.amount !== undefined)
        cameOutside.set(event.invoice, event.amount);
    }
  const now = Date.now();
  return { order, notice, cameOutside, now, ...(isUnused && { changePress }) };
}

async function store(trx: Trx, { order, notice }: Known, settled: Settled): Promise<Order> {
  if (notice) await updateNotice(trx, notice, settled.notice);
  if (settled.order === order) return order;
  await saveInvoices(trx, settled.invoices);
  await saveCharges(trx, settled.charges);
  return updateOrder(trx, order.id, settled.columns, settled.subscription);
}
