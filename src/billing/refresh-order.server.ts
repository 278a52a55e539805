/** Orders follow their payments: the provider's reports may arrive late, twice and in any order. */

import { PAYMENT_CHECK_PAUSE_MS } from '../limits.ts';
import type { InTransaction } from '../notifications/notification.server.ts';
import type { Trx } from '../platform/database/tables.server.ts';
import { untilDeadline } from '../platform/deadline.server.ts';
import { type Cents, sumOf } from '../platform/money.ts';
import { SharedRuns } from '../platform/shared-runs.server.ts';
import type { Site } from '../site.server.ts';
import { type Order, refundedOf } from './billed-order.server.ts';
import { byProvider, bySite, type Cause } from './cause.server.ts';
import { saveCharges } from './charge-store.server.ts';
import type { Gateway, PaymentState } from './gateway.server.ts';
import { saveInvoices } from './invoice-store.server.ts';
import { findNotice, updateNotice } from './notice-store.server.ts';
import { changedThere, correctOrder, moveStart } from './order-details.server.ts';
import { hasCaused, insertEvent, readEvents, recordEvent } from './order-event-store.server.ts';
import { isOver, type OrderStatus } from './order-status.ts';
import { getOrder, lockOrder, updateOrder } from './order-store.server.ts';
import { type NotDone, outdated } from './outcome.server.ts';
import { type Known, type Settled, settle } from './settle.server.ts';
import { statusEvents } from './status-events.server.ts';

export type OrderContext = Pick<Site, 'db' | 'notify' | 'gateway' | 'paymentChecks'>;

type Refreshed = Order | 'unavailable';
/** A running subscription and the pages of open invoices; null for what is not there. */
export type AtProvider = readonly [
  Awaited<ReturnType<Gateway['subscriptions']['getSubscription']>> | null,
  Awaited<ReturnType<NonNullable<Gateway['invoicePages']>>> | null,
];

/**
 * The site's requests for payment states, by order id: one at a time per order, shared by all who
 * ask meanwhile. `accounts`: what an order's page asks for, by id and version.
 */
export class PaymentChecks {
  readonly accounts = new SharedRuns<string, AtProvider>();
  readonly all = new SharedRuns<number, Refreshed>();
  readonly ofVisitors = new SharedRuns<number, Refreshed>(pauseAfter);
  readonly ofEvents = new SharedRuns<number, Refreshed>(pauseAfter);
}

function pauseAfter(followed: Refreshed): number {
  return followed === 'unavailable' ? 0 : PAYMENT_CHECK_PAUSE_MS;
}

/**
 * Fetches the payment state from the provider and updates the order, as after a call to it.
 * 'unavailable' when the provider cannot be reached: a webhook or reconciliation updates the order
 * later.
 */
export function refreshOrder(
  context: OrderContext,
  { id }: Pick<Order, 'id'>,
  cause: Cause,
): Promise<Refreshed> {
  const run = context.paymentChecks.all.run(id, () => fetchAndFollow(context, id, cause));
  // Another request may have started it, or one still runs before it.
  return untilDeadline(run, 'unavailable');
}

/**
 * The same on a visitor's word: who asks again within seconds waits for one answer with all others
 * who do.
 */
export function refreshForVisitor(
  context: OrderContext,
  order: Pick<Order, 'id'>,
  cause: Cause,
): Promise<Refreshed> {
  if (context.gateway.updatesOrders) return getOrder(context.db, order);
  const run = () => refreshOrder(context, order, cause);
  return untilDeadline(context.paymentChecks.ofVisitors.run(order.id, run), 'unavailable');
}

/** The same on an event: a payment causes many at once, and whoever tries cards causes more. */
export function refreshForEvent(
  context: OrderContext,
  order: Pick<Order, 'id'>,
  cause: Cause,
): Promise<Refreshed> {
  return context.paymentChecks.ofEvents.run(order.id, () => refreshOrder(context, order, cause));
}

/**
 * The same before staff or a customer move money. Refused if money has moved that no one has
 * seen, such as a payment whose event has not arrived.
 */
export async function refreshDecided(
  context: OrderContext,
  decidedOn: Order,
): Promise<Order | NotDone> {
  const order = await refreshOrder(context, decidedOn, byProvider(context.gateway));
  const isAsSeen = order === 'unavailable' || moneyOf(order) === moneyOf(decidedOn);
  return isAsSeen ? order : outdated(order);
}

/** What has come and what went back, in cents. */
function moneyOf(order: Order): string {
  const came = sumOf(order.invoices.map(({ amountPaidCents }) => amountPaidCents));
  return `${came} ${refundedOf(order)}`;
}

async function fetchAndFollow(
  { gateway, ...context }: OrderContext,
  id: number,
  cause: Cause,
): Promise<Refreshed> {
  for (;;) {
    const order = await getOrder(context.db, { id });
    const state = await gateway.fetchPaymentState(order);
    if (state === 'unavailable') return state;
    const after = await applyUnlessOutdated(context, order, state, cause);
    if (after !== 'outdated') return after;
  }
}

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
  const presses = [causeId, ...invoices.map(({ paidPress }) => paidPress)];
  if (invoices.some(({ paidOutOfBand }) => paidOutOfBand))
    for (const { id, event } of await readEvents(trx, orderId))
      if (event.kind === 'paid-outside-asked' && event.amount !== undefined && presses.includes(id))
        cameOutside.set(event.invoice, event.amount);
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

/**
 * Sets a status on behalf of staff, who decided on the order as it `was`. Returns undefined when it
 * has changed since.
 */
export async function setStatus(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  decidedOn: Order,
  to: OrderStatus,
  cause: Cause,
): Promise<Order | undefined> {
  const { id, version } = decidedOn;
  return db.transaction().execute(async (trx) => {
    if ((await lockOrder(trx, id)).version !== version) return undefined;
    const after = await updateOrder(trx, id, { status: to });
    for (const draft of statusEvents({ before: decidedOn, after }, [to]))
      await recordEvent({ db: trx, notify }, after, draft, cause);
    if (to === 'canceled') await insertEvent(trx, id, { kind: 'not-refunded' }, cause);
    return after;
  });
}
