/** Orders follow their payments: the provider's reports may arrive late, twice and in any order. */
import { type PriceLine, priceLinesOf } from '../catalogue/pricing.ts';
import type { Notify } from '../notifications/outbox.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { cents, formatDollars } from '../platform/money.ts';
import type { Gateway, Invoice, PaymentState, ReversedCharge } from './gateway.server.ts';
import {
  awaitsPayment,
  canTransition,
  isOver,
  isRunning,
  type OrderStatus,
  orderReference,
  planInWords,
  planOptions,
  salesTax,
  samePlanOptions,
} from './order.ts';
import { type OrderEvent, orderNotification } from './order-mails.server.ts';
import {
  addNote,
  addStatus,
  getOrder,
  lockOrder,
  noteOnce,
  type Order,
  readInvoices,
  selectSimilarOrders,
  updateOrder,
} from './order-store.server.ts';

export interface FollowDeps {
  db: Db;
  notify: Notify;
}

export interface OrderDeps extends FollowDeps {
  gateway: Gateway;
}

/**
 * Fetches the payment state from the provider and updates the order. `answered` is what the provider has just answered to
 * another call. 'unavailable' when the provider cannot be reached: a webhook or reconciliation updates the order later.
 */
export async function followNow(
  { gateway, ...deps }: OrderDeps,
  known: Pick<Order, 'id'>,
  cause: string,
  answered: Pick<PaymentState, 'charges' | 'ended' | 'endsAt'> = {},
): Promise<Order | 'unavailable'> {
  for (;;) {
    const order = await getOrder(deps.db, known);
    const state = await gateway.fetchPaymentState(order);
    if (state === 'unavailable') return state;
    const charges = [...(state.charges ?? []), ...(answered.charges ?? [])];
    const after = await followUnlessOutdated(
      deps,
      order,
      { ...state, ...answered, charges },
      cause,
    );
    if (after !== 'outdated') return after;
  }
}

/** 'outdated': the order changed after the provider was called, so the answer may be older than the order. */
export type FollowedOrder = Order | 'outdated';

/** Applies a payment state that the provider returned for the order as it `was`. */
export function followUnlessOutdated(
  { db, notify }: FollowDeps,
  was: Order,
  payment: PaymentState,
  cause: string,
): Promise<FollowedOrder> {
  return db.transaction().execute(async (trx) => {
    const { version } = await lockOrder(trx, was.id);
    return version === was.version
      ? followPayment({ db: trx, notify }, was.id, payment, cause)
      : 'outdated';
  });
}

/**
 * Applies a payment state and returns the updated order; `db` must be a transaction. Invoices and charges are saved first,
 * and the status is derived from all that are stored. A transition that is not allowed, such as one from an old message
 * about a paid order, changes nothing.
 */
export async function followPayment(
  { db: trx, notify }: FollowDeps,
  orderId: number,
  payment: PaymentState,
  cause: string,
): Promise<Order> {
  const before = await lockOrder(trx, orderId);
  const change = isRunning(before.status) && payment.plan && planChange(before, payment.plan);
  const newlyPaid = await saveInvoices(trx, { ...before, ...change }, payment.invoices ?? []);
  const newlyDisputed = await saveCharges(trx, orderId, payment.charges ?? []);
  const billing = await readBilling(trx, orderId);
  const wanted = wantedStatus(payment, billing, before.status);
  const path = statusPath(before.status, wanted, billing);
  const after = await updateOrder(trx, orderId, {
    ...change,
    status: path.at(-1),
    refundedCents: billing.refunded,
    dispute: billing.dispute,
    endsAt: payment.endsAt,
    subscriptionEnded: payment.ended ? 1 : undefined,
  });
  for (const status of path) await addStatus(trx, orderId, status, cause);
  const { notes, events } = notesAndEvents(before, after, billing, newlyPaid, newlyDisputed, cause);
  if (change) notes.push(`Plan changed: ${change.previousPlan} → ${planInWords(after)} (${cause})`);
  if (awaitsPayment(before.status) && after.status === 'paid')
    notes.push(...(await secondSubscriptionNotes(trx, after)));
  await addNote(trx, orderId, ...notes);
  for (const note of payment.notes ?? []) await noteOnce(trx, orderId, note);
  const changed: OrderEvent[] = change ? ['order-changed'] : [];
  for (const kind of [...changed, ...transitionEvents(before.status, path), ...events])
    await notify(trx, orderNotification(kind), orderId);
  return after;
}

/** The columns that change when the provider charges for other users or backup; undefined when neither differs. */
function planChange(order: Order, lines: readonly PriceLine[]) {
  const [before, after] = [planOptions(priceLinesOf(order)), planOptions(lines)];
  if (samePlanOptions(before, after)) return undefined;
  const amountCents = lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = Math.round((salesTax(order) * amountCents) / Math.max(1, order.amountCents));
  return {
    ms365Users: after.users,
    includeCloudBackup: after.backup ? 1 : 0,
    priceLines: JSON.stringify(lines),
    amountCents,
    dueCents: amountCents + tax,
    previousPlan: planInWords(order),
  } as const;
}

/** The status that the payment and the stored billing imply. Until a payment is tried, the order keeps its status. */
function wantedStatus(payment: PaymentState, billing: Billing, from: OrderStatus): OrderStatus {
  // Final statuses take precedence.
  if (billing.reversed) return 'refunded';
  if (payment.ended) return 'canceled';
  if (billing.paid) return billing.overdue ? 'past_due' : 'paid';
  switch (payment.status) {
    case 'succeeded':
      return 'paid';
    case 'processing':
    case 'requires_action':
      return 'processing';
    case 'canceled':
      return 'canceled';
    case 'requires_payment_method':
      return payment.refused ? 'failed' : from;
  }
}

/**
 * The allowed transitions that lead to the wanted status. A paid order passes through 'paid', even if it is overdue or
 * refunded by now; a payment after a refusal passes through 'processing'.
 */
function statusPath(from: OrderStatus, wanted: OrderStatus, { paid }: Billing): OrderStatus[] {
  const path: OrderStatus[] = [];
  let at = from;
  const goTo = (next: OrderStatus) => {
    path.push(next);
    at = next;
  };
  const goals: OrderStatus[] = paid && awaitsPayment(from) ? ['paid', wanted] : [wanted];
  for (const goal of goals) {
    if (at === 'failed' && (goal === 'paid' || goal === 'canceled')) goTo('processing');
    if (at === 'past_due' && goal === 'refunded') goTo('paid');
    if (canTransition(at, goal, 'provider')) goTo(goal);
  }
  return path;
}

/** Notes for staff and notification events, besides those of status transitions. */
function notesAndEvents(
  before: Order,
  after: Order,
  { reversed, refunded }: Billing,
  newlyPaid: readonly Invoice[],
  newlyDisputed: readonly ReversedCharge[],
  cause: string,
) {
  const notes: string[] = [];
  const events = newlyDisputed.map((): OrderEvent => 'order-disputed');
  if (after.dispute !== before.dispute) notes.push(`Dispute ${after.dispute} (${cause})`);
  if (after.refundedCents > before.refundedCents) {
    notes.push(`${formatDollars(cents(after.refundedCents))} refunded in all (${cause})`);
    if (after.status !== 'refunded') events.push('order-refunded');
  }
  if (after.endsAt !== before.endsAt) {
    const day = after.endsAt && new Date(after.endsAt).toISOString().slice(0, 10);
    notes.push(day ? `The subscription ends on ${day}` : 'The subscription continues');
  }
  if ((before.endsAt === null) !== (after.endsAt === null) && isRunning(after.status))
    events.push('order-ending');
  const renewed = newlyPaid.filter(({ renewal }) => renewal);
  if (isOver(before.status)) {
    for (const { amount } of newlyPaid)
      notes.push(
        `${formatDollars(amount)} was taken although the order is ${before.status} (${cause})`,
      );
    // A refund may be reported before its payment.
    const isRefunded = reversed && refunded > 0;
    if (newlyPaid.length > 0 && !isRefunded) events.push('order-paid-after-end');
  } else {
    for (const { amount } of renewed) notes.push(`Renewed: ${formatDollars(amount)} (${cause})`);
    // One email even when several months are paid at once: its link shows all of them.
    if (isRunning(before.status) && renewed.length > 0) events.push('order-renewed');
  }
  return { notes, events };
}

/** Two subscriptions to one plan for one address may be a mistake, so staff are asked. */
async function secondSubscriptionNotes(trx: Db, order: Order): Promise<string[]> {
  const similar = await selectSimilarOrders(trx, order.live === 1, order).execute();
  const running = similar.filter(({ id, status }) => id !== order.id && isRunning(status));
  const numbers = running.map(({ id }) => orderReference(id)).join(', ');
  return numbers
    ? [`The same plan is running for this address already (${numbers}): is a second one wanted?`]
    : [];
}

/** Sets a status on behalf of staff. Returns undefined when the transition is not allowed. */
export async function setStatus(
  { db, notify }: FollowDeps,
  { id }: Pick<Order, 'id'>,
  to: OrderStatus,
  cause: string,
): Promise<Order | undefined> {
  return db.transaction().execute(async (trx) => {
    const { status: from } = await lockOrder(trx, id);
    if (!canTransition(from, to, 'staff')) return undefined;
    const after = await updateOrder(trx, id, { status: to });
    await addStatus(trx, id, to, cause);
    for (const kind of transitionEvents(from, [to])) await notify(trx, orderNotification(kind), id);
    return after;
  });
}

/**
 * Never notify the customer of an unpaid order: the address may belong to someone else. A past-due order that is paid again
 * is a renewal, so it must not send 'order-paid' a second time.
 */
function transitionEvents(start: OrderStatus, path: readonly OrderStatus[]): OrderEvent[] {
  return path.flatMap((to, index): OrderEvent[] => {
    const from = path[index - 1] ?? start;
    if (to === 'paid' && awaitsPayment(from)) return ['order-paid'];
    const event = isRunning(from) ? RUNNING_ORDER_EVENTS[to] : undefined;
    return event ? [event] : [];
  });
}

const RUNNING_ORDER_EVENTS: Partial<Record<OrderStatus, OrderEvent>> = {
  past_due: 'order-renewal-failed',
  refunded: 'order-refunded',
  canceled: 'order-ended',
};

/** Saves invoices and returns the newly paid ones. The order must be locked. `priceLines` serve where an invoice has no lines. */
async function saveInvoices(
  trx: Db,
  { id: orderId, priceLines }: Pick<Order, 'id' | 'priceLines'>,
  invoices: readonly Invoice[],
): Promise<Invoice[]> {
  if (invoices.length === 0) return [];
  const ids = invoices.map(({ id }) => id);
  const stored = await trx.selectFrom('orderInvoices').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  const newlyPaid: Invoice[] = [];
  for (const invoice of invoices) {
    const { amount, paid, waived, tax, renewal: _, lines, ...facts } = invoice;
    const before = known.get(invoice.id);
    if (before?.paid && !paid) continue;
    if (paid && !before?.paid) newlyPaid.push(invoice);
    known.set(invoice.id, {
      ...NOT_REPORTED,
      ...before,
      ...facts,
      orderId,
      amountCents: amount,
      taxCents: tax ?? before?.taxCents ?? null,
      paid: paid ? 1 : 0,
      waived: waived || before?.waived ? 1 : 0,
      // A receipt shows what was paid then, whatever the plan is now.
      lines: before?.lines ?? (lines ? JSON.stringify(lines) : priceLines),
    });
  }
  await trx.deleteFrom('orderInvoices').where('id', 'in', ids).execute();
  await trx
    .insertInto('orderInvoices')
    .values([...known.values()])
    .execute();
  return newlyPaid;
}

/** The columns that a provider may leave out; stored values are then kept. */
const NOT_REPORTED = {
  number: null,
  periodStart: null,
  periodEnd: null,
  cardBrand: null,
  cardLast4: null,
};

/** Saves charges and returns the newly disputed ones. The order must be locked. */
async function saveCharges(
  trx: Db,
  orderId: number,
  charges: readonly ReversedCharge[],
): Promise<ReversedCharge[]> {
  if (charges.length === 0) return [];
  const ids = charges.map(({ id }) => id);
  const stored = await trx.selectFrom('orderCharges').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  const newlyDisputed: ReversedCharge[] = [];
  for (const charge of charges) {
    const { id, amount, refunded, dispute } = charge;
    const before = known.get(id);
    // A closed dispute stays closed when its opening arrives later.
    const closed = before?.dispute && before.dispute !== 'open' ? before.dispute : null;
    const after = closed ?? dispute ?? before?.dispute ?? null;
    if (after !== null && !before?.dispute) newlyDisputed.push(charge);
    const refundedCents = Math.max(refunded, before?.refundedCents ?? refunded);
    known.set(id, { id, orderId, amountCents: amount, refundedCents, dispute: after });
  }
  await trx.deleteFrom('orderCharges').where('id', 'in', ids).execute();
  await trx
    .insertInto('orderCharges')
    .values([...known.values()])
    .execute();
  return newlyDisputed;
}

type Billing = Awaited<ReturnType<typeof readBilling>>;

/** Derived from everything stored, so the order of arrival does not matter. */
async function readBilling(db: Db, orderId: number) {
  const invoices = await readInvoices(db, orderId);
  const charges = await db
    .selectFrom('orderCharges')
    .selectAll()
    .where('orderId', '=', orderId)
    .execute();
  const sum = (amounts: number[]) => cents(amounts.reduce((total, amount) => total + amount, 0));
  const paidInvoices = invoices.filter(({ paid }) => paid);
  const taken = Math.max(
    sum(paidInvoices.map(({ amountCents }) => amountCents)),
    sum(charges.map(({ amountCents }) => amountCents)),
  );
  const lastPaidAt = Math.max(0, ...paidInvoices.map(({ createdAt }) => createdAt));
  const refunded = sum(charges.map(({ refundedCents }) => refundedCents));
  const disputes = charges.map(({ dispute }) => dispute);
  return {
    /** A refunded or disputed charge counts as paid, since its invoice may be reported later. */
    paid: paidInvoices.length > 0 || charges.length > 0,
    /** An invoice is due and unpaid, and no newer one has been paid. */
    overdue: invoices.some(
      ({ paid, waived, createdAt }) => !paid && !waived && createdAt >= lastPaidAt,
    ),
    refunded,
    /** Everything that was paid has been refunded, or the bank decided a dispute for the customer. */
    reversed: disputes.includes('lost') || (charges.length > 0 && refunded >= taken),
    dispute: (['lost', 'open', 'won'] as const).find((each) => disputes.includes(each)) ?? null,
  };
}
