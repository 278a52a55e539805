/** Orders follow their payments: the provider's reports may arrive late, twice and in any order. */
import { PAYMENT_CHECK_PAUSE_MS } from '../limits.ts';
import { untilDeadline } from '../platform/deadline.server.ts';
import { sumOf } from '../platform/money.ts';
import { SharedRuns } from '../platform/shared-runs.server.ts';
import type { Site } from '../site.server.ts';
import { applyUnlessOutdated } from './apply-report.server.ts';
import { type Order, refundedOf } from './billed-order.server.ts';
import { byProvider, type Cause } from './cause.server.ts';
import type { Gateway } from './gateway.server.ts';
import { getOrder } from './order-store.server.ts';
import { type NotDone, outdated } from './outcome.server.ts';

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
