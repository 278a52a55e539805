/** Orders follow their payments: the provider's reports may arrive late, twice and in any order. */

import { PAYMENT_CHECK_PAUSE_MS } from '../limits.ts';
import { differs } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { untilDeadline } from '../platform/deadline.server.ts';
import { totalOf } from '../platform/money.ts';
import { SharedRuns } from '../platform/shared-runs.server.ts';
import type { Site } from '../site.server.ts';
import { billedOf, refundedOf } from './billed-order.server.ts';
import { planChange, withDiscounts } from './billed-plan.server.ts';
import type { Cause } from './cause.server.ts';
import { saveCharges } from './charge-store.server.ts';
import {
  changedMeanwhile,
  type Gateway,
  type NotDone,
  type PaymentState,
} from './gateway.server.ts';
import { saveInvoices, voidOpenInvoices } from './invoice-store.server.ts';
import { monthlyOf } from './order-event.server.ts';
import { completeBegun, type Draft, recordEvent } from './order-event-store.server.ts';
import {
  awaitsPayment,
  isRunning,
  type OrderStatus,
  statusOf,
  statusPath,
} from './order-status.ts';
import { getOrder, lockOrder, type Order, updateOrder } from './order-store.server.ts';
import { paymentEvents, secondSubscription, transitionEvents } from './payment-events.server.ts';
import {
  asToday,
  findPriceChange,
  settlePriceChange,
  updatePriceChange,
} from './price-change-store.server.ts';

/** What it takes to read, change and follow orders. */
export type OrderContext = Pick<Site, 'db' | 'notify' | 'gateway' | 'paymentChecks'>;

type Followed = Order | 'unavailable';
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
  readonly all = new SharedRuns<number, Followed>();
  readonly ofVisitors = new SharedRuns<number, Followed>((followed) =>
    followed === 'unavailable' ? 0 : PAYMENT_CHECK_PAUSE_MS,
  );
}

/**
 * Fetches the payment state from the provider and updates the order. 'unavailable' when the
 * provider cannot be reached: a webhook or reconciliation updates the order later.
 */
export function followNow(
  context: OrderContext,
  { id }: Pick<Order, 'id'>,
  cause: Cause,
): Promise<Followed> {
  const run = context.paymentChecks.all.run(id, () => fetchAndFollow(context, id, cause));
  // Another request may have started it, or one still runs before it.
  return untilDeadline(run, 'unavailable');
}

/**
 * The same on a visitor's word: who asks again within seconds waits for one answer with all others
 * who do.
 */
export function followForVisitor(
  context: OrderContext,
  order: Pick<Order, 'id'>,
  cause: Cause,
): Promise<Followed> {
  if (context.gateway.updatesOrders) return getOrder(context.db, order);
  const run = () => followNow(context, order, cause);
  return untilDeadline(context.paymentChecks.ofVisitors.run(order.id, run), 'unavailable');
}

/**
 * Fetches the payment state before an order is changed. Refused if money has moved that no one has
 * seen, such as a payment whose event has not arrived.
 */
export async function followDecided(
  context: OrderContext,
  decidedOn: Order,
): Promise<Order | NotDone> {
  const actor = { is: 'provider', name: context.gateway.name, event: null } as const;
  const order = await followNow(context, decidedOn, { actor });
  const isAsSeen = order === 'unavailable' || moneyOf(order) === moneyOf(decidedOn);
  return isAsSeen ? order : { refused: changedMeanwhile(order) };
}

/** What has come and what went back, in cents. */
function moneyOf(order: Order): string {
  const came = totalOf(order.invoices.map(({ amountPaidCents: amount }) => ({ amount })));
  return `${came} ${refundedOf(order)}`;
}

async function fetchAndFollow(
  { gateway, ...context }: OrderContext,
  id: number,
  cause: Cause,
): Promise<Followed> {
  for (;;) {
    const order = await getOrder(context.db, { id });
    const state = await gateway.fetchPaymentState(order);
    if (state === 'unavailable') return state;
    const after = await followUnlessOutdated(context, order, state, cause);
    if (after !== 'outdated') return after;
  }
}

/**
 * 'outdated': the order changed after the provider was called, so the answer may be older than the
 * order.
 */
export type FollowedOrder = Order | 'outdated';

/** Applies a payment state that the provider returned for the order as it `was`. */
export function followUnlessOutdated(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  was: Order,
  payment: PaymentState,
  cause: Cause,
): Promise<FollowedOrder> {
  return db.transaction().execute(async (trx) => {
    const { version } = await lockOrder(trx, was.id);
    return version === was.version
      ? followPayment({ db: trx, notify }, was.id, payment, cause)
      : 'outdated';
  });
}

/**
 * Applies a payment state and returns the updated order; `db` must be a transaction. Invoices and
 * charges are saved first, and the status is derived from all that are stored. A transition that is
 * not allowed, such as one from an old message about a paid order, changes nothing.
 */
export async function followPayment(
  { db: trx, notify }: Pick<Site, 'db' | 'notify'>,
  orderId: number,
  reportedState: PaymentState,
  cause: Cause,
): Promise<Order> {
  const before = await lockOrder(trx, orderId);
  const runs = isRunning(before.status);
  const announced = runs ? await findPriceChange(trx, orderId) : undefined;
  const payment = withDiscounts(reportedState, before, announced);
  const change = runs ? planChange(before, payment, announced) : undefined;
  const was = before.subscription;
  const { status = was.status, attempt = was.attempt, cancelAt = was.cancelAt } = payment;
  const { collection = was.collection, daysUntilDue = was.daysUntilDue } = payment;
  const reported = { status, attempt, cancelAt, collection, daysUntilDue, ...change?.columns };
  const running = { ...was, ...reported };
  const now = { ...before, subscription: running };
  const invoices = await saveInvoices(trx, now, payment.invoices ?? []);
  const charges = await saveCharges(trx, before, payment.charges ?? []);
  const isUnpaid = awaitsPayment(before.status);
  const isAbandoned = payment.abandoned || (isUnpaid && status === 'canceled');
  if (isAbandoned) await voidOpenInvoices(trx, orderId);
  const billing = billedOf(await getOrder(trx, before));
  const wanted = isAbandoned && isUnpaid && !billing.paid ? 'canceled' : statusOf(running, billing);
  const path = statusPath(before.status, wanted, billing, refundedOf(before));
  // An answer that changes nothing must not make others under way look outdated.
  const hasChanged =
    invoices.changed || charges.changed || path.length > 0 || differs(was, reported);
  const after = hasChanged
    ? await updateOrder(trx, orderId, { status: path.at(-1) }, reported)
    : before;
  const drafts: Draft[] = [];
  // Prices come first: what follows is said with the ones that hold.
  const monthly = monthlyOf(asToday(after, announced));
  if (change?.options) drafts.push({ event: { ...change.options, monthly } });
  const changes = change?.changes ?? [];
  if (changes.length > 0) drafts.push({ event: { kind: 'lines-changed', changes, monthly } });
  if (announced) {
    const { to, events } = settlePriceChange(after, announced, payment.invoices ?? []);
    // What was added since the new prices were set up is to get them too.
    const again = change?.options && announced.setUpAt !== null ? { setUpAt: null } : {};
    await updatePriceChange(trx, announced, { ...again, ...to });
    drafts.push(...events.map((event) => ({ event })));
  }
  drafts.push(...statusEvents(before, after, path));
  drafts.push(...paymentEvents(before, after, invoices, charges));
  if (isUnpaid && after.status === 'paid') drafts.push(...(await secondSubscription(trx, after)));
  if (payment.replacement) {
    const { id, card } = payment.replacement;
    drafts.push({ event: { kind: 'card-replaced', card }, once: `card ${id}` });
  }
  drafts.push(...(payment.alerts ?? []).map((event) => ({ event })));
  const why = await whoBegan(trx, before, after, cause);
  for (const draft of drafts) await recordEvent({ db: trx, notify }, orderId, draft, why);
  return after;
}

/** Someone here began what the provider reports, if the server died before it could say so. */
async function whoBegan(trx: Db, before: Order, after: Order, cause: Cause): Promise<Cause> {
  if (cause.actor.is !== 'provider' || after === before) return cause;
  const refunded = refundedOf(after) - refundedOf(before);
  const isRest = (amount: number) =>
    before.charges.some(({ id, amountCents, refundedCents }) => {
      const now = after.charges.find((charge) => charge.id === id);
      return refundedCents + amount === amountCents && now?.refundedCents === amountCents;
    });
  const isNew = (isSo: (order: Order) => boolean) => isSo(after) && !isSo(before);
  const begun = completeBegun(trx, after.id, (act) => {
    switch (act.kind) {
      case 'refund-made':
        return refunded > 0 && (act.amount === null ? isRest(refunded) : act.amount === refunded);
      case 'end-scheduled':
        return isNew(({ subscription }) => subscription.cancelAt !== null);
      case 'end-withdrawn':
        return isNew(({ subscription }) => subscription.cancelAt === null);
      case 'end-made':
        return isNew(({ status }) => status === 'canceled');
      case 'marked-paid':
        return isNew(({ invoices }) =>
          invoices.some(({ id, paidOutOfBand }) => id === act.invoice && paidOutOfBand === 1),
        );
    }
  });
  return (await begun) ?? cause;
}

function statusEvents(before: Order, after: Order, path: readonly OrderStatus[]): Draft[] {
  const passed = path.map((to, index) => ({ to, passing: index < path.length - 1 }));
  return [
    ...passed.map((status) => ({ event: { kind: 'status' as const, ...status } })),
    ...transitionEvents(before, after, path).map((event) => ({ event })),
  ];
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
    for (const draft of statusEvents(decidedOn, after, [to]))
      await recordEvent({ db: trx, notify }, id, draft, cause);
    return after;
  });
}
