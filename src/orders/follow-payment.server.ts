/** Orders follow their payments: the provider's reports may arrive late, twice and in any order. */
import { lineInWords, type PriceLine, priceLinesOf } from '../catalogue/pricing.ts';
import { PAYMENT_LOOK_PAUSE_MS } from '../limits.ts';
import type { Notify } from '../notifications/outbox.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { cents, formatDollars, totalOf } from '../platform/money.ts';
import { SharedRuns } from '../platform/shared-runs.server.ts';
import { isoTime } from '../platform/time.ts';
import type { Charge, Gateway, Invoice, PaymentState } from './gateway.server.ts';
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
  addAlerts,
  addNote,
  addStatus,
  getOrder,
  lockOrder,
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
  looks: PaymentLooks;
}

type Followed = Order | 'unavailable';

/** The site's requests for payment states, by order id: one at a time per order, shared by all who ask meanwhile. */
export class PaymentLooks {
  readonly all = new SharedRuns<number, Followed>();
  readonly ofVisitors = new SharedRuns<number, Followed>(PAYMENT_LOOK_PAUSE_MS);
}

/**
 * Fetches the payment state from the provider and updates the order. 'unavailable' when the provider cannot be reached: a
 * webhook or reconciliation updates the order later.
 */
export function followNow(
  deps: OrderDeps,
  { id }: Pick<Order, 'id'>,
  cause: string,
): Promise<Followed> {
  return deps.looks.all.run(id, () => fetchAndFollow(deps, id, cause));
}

/** The same on a visitor's word: who asks again within seconds waits for one answer with all others who do. */
export function followForVisitor(
  deps: OrderDeps,
  order: Pick<Order, 'id'>,
  cause: string,
): Promise<Followed> {
  if (deps.gateway.updatesOrders) return getOrder(deps.db, order);
  return deps.looks.ofVisitors.run(order.id, () => followNow(deps, order, cause));
}

async function fetchAndFollow(
  { gateway, ...deps }: OrderDeps,
  id: number,
  cause: string,
): Promise<Followed> {
  for (;;) {
    const order = await getOrder(deps.db, { id });
    const state = await gateway.fetchPaymentState(order);
    if (state === 'unavailable') return state;
    const after = await followUnlessOutdated(deps, order, state, cause);
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
  const change =
    isRunning(before.status) && payment.plan ? planChange(before, payment.plan) : undefined;
  const plan = change?.columns;
  const invoices = await saveInvoices(trx, { ...before, ...plan }, payment.invoices ?? []);
  const charges = await saveCharges(trx, orderId, payment.charges ?? []);
  const billing = await readBilling(trx, orderId);
  const wanted = wantedStatus(payment, billing, before.status);
  const path = statusPath(before, wanted, billing);
  const changes: Partial<Order> = {
    ...plan,
    status: path.at(-1),
    refundedCents: billing.refunded,
    dispute: billing.dispute,
    endsAt: payment.endsAt,
    paused: payment.paused,
    subscriptionEnded: payment.ended ? 1 : undefined,
  };
  // An answer that changes nothing must not make others under way look outdated.
  const isNews = invoices.changed || charges.changed || differs(before, changes);
  const after = isNews ? await updateOrder(trx, orderId, changes) : before;
  for (const status of path) await addStatus(trx, orderId, status, cause);
  const { notes, events } = notesAndEvents(before, after, { billing, invoices, charges }, cause);
  const alerts = [...(payment.alerts ?? [])];
  if (change) alerts.push(...change.alerts.map((alert) => `${alert} (${cause})`));
  if (change?.otherOptions)
    notes.push(`Plan changed: ${planInWords(before)} → ${planInWords(after)} (${cause})`);
  if (awaitsPayment(before.status) && after.status === 'paid')
    notes.push(...(await secondSubscriptionNotes(trx, after)));
  await addNote(trx, orderId, ...notes);
  if (await addAlerts(trx, orderId, alerts)) events.push('order-alert');
  const changed: OrderEvent[] = change?.otherOptions ? ['order-changed'] : [];
  for (const kind of [...changed, ...transitionEvents(before.status, path), ...events])
    await notify(trx, orderNotification(kind), orderId);
  return after;
}

/** Whether the row would change; undefined columns keep their values. */
function differs(row: object | undefined, changes: object): boolean {
  return Object.entries(changes).some(
    ([column, value]) => value !== undefined && (!row || value !== Reflect.get(row, column)),
  );
}

/** What changes when the provider charges other lines each month; undefined when it charges the same. */
function planChange(order: Order, lines: readonly PriceLine[]) {
  const known = priceLinesOf(order);
  if (JSON.stringify(lines) === JSON.stringify(known)) return undefined;
  const [before, after] = [planOptions(known), planOptions(lines)];
  const otherOptions = !samePlanOptions(before, after);
  const amountCents = totalOf(lines);
  const tax = Math.round((salesTax(order) * amountCents) / Math.max(1, order.amountCents));
  const columns: Partial<Order> = {
    ms365Users: after.users,
    includeCloudBackup: after.backup ? 1 : 0,
    priceLines: JSON.stringify(lines),
    amountCents,
    dueCents: cents(amountCents + tax),
    previousPlan: otherOptions ? planInWords(order) : undefined,
  };
  return { columns, otherOptions, alerts: pricesChangedByStaff(known, lines) };
}

/** What a customer cannot change, and staff therefore changed at the payment provider. */
function pricesChangedByStaff(before: readonly PriceLine[], after: readonly PriceLine[]): string[] {
  const isSame = (one: PriceLine) => (other: PriceLine) =>
    one.kind === other.kind && (one.kind !== 'other' || one.label === other.label);
  const changed = after.flatMap((line) => {
    const known = before.find(isSame(line));
    if (!known) return line.kind === 'backup' ? [] : [`Added: ${lineInWords(line)}`];
    if (line.kind === 'discount' || line.unitPrice === known.unitPrice) return [];
    const [from, to] = [known.unitPrice, line.unitPrice].map(formatDollars);
    return [`Price changed: ${line.label}, ${from} → ${to}`];
  });
  const removed = before.filter((line) => line.kind !== 'backup' && !after.some(isSame(line)));
  return [...changed, ...removed.map((line) => `Removed: ${lineInWords(line)}`)];
}

/** The status that the payment and the stored billing imply. Until a payment is tried, the order keeps its status. */
function wantedStatus(payment: PaymentState, billing: Billing, from: OrderStatus): OrderStatus {
  // Final statuses take precedence.
  if (billing.reversed) return 'refunded';
  if (payment.ended) return 'canceled';
  if (billing.paid) return (payment.overdue ?? billing.overdue) ? 'past_due' : 'paid';
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
function statusPath(
  { status: from, refundedCents }: Order,
  wanted: OrderStatus,
  { paid, refunded }: Billing,
): OrderStatus[] {
  // The bank returned the refund of an order that had ended with it.
  if (from === 'refunded' && wanted === 'canceled' && refunded < refundedCents) return [wanted];
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

interface SavedFacts {
  billing: Billing;
  invoices: SavedInvoices;
  charges: SavedCharges;
}

/** Notes for staff and notification events, besides those of status transitions. */
function notesAndEvents(
  before: Order,
  after: Order,
  { billing, invoices: { newlyPaid }, charges: { newlyDisputed } }: SavedFacts,
  cause: string,
) {
  const notes: string[] = [];
  const events = newlyDisputed.map((): OrderEvent => 'order-disputed');
  if (after.dispute !== before.dispute) notes.push(`Dispute ${after.dispute} (${cause})`);
  const refunded = after.refundedCents - before.refundedCents;
  if (refunded !== 0) {
    const sum = `${formatDollars(after.refundedCents)} refunded in all (${cause})`;
    const failed = `A refund of ${formatDollars(cents(-refunded))} failed: `;
    notes.push(refunded > 0 ? sum : failed + sum);
    if (refunded < 0) events.push('order-refund-failed');
    else if (after.status !== 'refunded') events.push('order-refunded');
  }
  if (after.endsAt !== before.endsAt) {
    const end = after.endsAt && isoTime(after.endsAt);
    const change = end ? `The subscription ends on ${end}` : 'The subscription continues';
    notes.push(`${change} (${cause})`);
    if (isRunning(after.status)) events.push('order-ending');
  }
  if (after.paused !== before.paused) {
    notes.push(`Billing ${after.paused ? 'paused' : 'continues'} (${cause})`);
    if (isRunning(after.status)) events.push('order-paused');
  }
  const renewed = newlyPaid.filter(({ renewal }) => renewal);
  if (isOver(before.status)) {
    for (const { amount } of newlyPaid)
      notes.push(
        `${formatDollars(amount)} was taken although the order is ${before.status} (${cause})`,
      );
    // A refund may be reported before its payment.
    const isRefunded = billing.reversed && billing.refunded > 0;
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
  const similar = await selectSimilarOrders(
    trx,
    { provider: order.provider, chargesRealMoney: order.live === 1 },
    order,
  ).execute();
  const running = similar.filter(({ id, status }) => id !== order.id && isRunning(status));
  const numbers = running.map(({ id }) => orderReference(id)).join(', ');
  return numbers
    ? [`The same plan is running for this address already (${numbers}): is a second one wanted?`]
    : [];
}

/** Sets a status on behalf of staff, who decided on the order as it `was`. Returns undefined when it has changed since. */
export async function setStatus(
  { db, notify }: FollowDeps,
  { id, version, status: from }: Pick<Order, 'id' | 'version' | 'status'>,
  to: OrderStatus,
  cause: string,
): Promise<Order | undefined> {
  return db.transaction().execute(async (trx) => {
    if ((await lockOrder(trx, id)).version !== version) return undefined;
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

interface SavedInvoices {
  newlyPaid: Invoice[];
  /** Whether anything was not known before. */
  changed: boolean;
}

interface SavedCharges {
  newlyDisputed: Charge[];
  changed: boolean;
}

/** Saves invoices. The order must be locked. `priceLines` serve where an invoice has no lines. */
async function saveInvoices(
  trx: Db,
  { id: orderId, priceLines }: Pick<Order, 'id' | 'priceLines'>,
  invoices: readonly Invoice[],
): Promise<SavedInvoices> {
  const newlyPaid: Invoice[] = [];
  if (invoices.length === 0) return { newlyPaid, changed: false };
  const ids = invoices.map(({ id }) => id);
  const stored = await trx.selectFrom('orderInvoices').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  const rows: Row<'orderInvoices'>[] = [];
  for (const invoice of invoices) {
    const { amount, paid, waived, tax, renewal: _, lines, ...facts } = invoice;
    const before = known.get(invoice.id);
    if (before?.paid && !paid) continue;
    if (paid && !before?.paid) newlyPaid.push(invoice);
    rows.push({
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
  const news = rows.filter((row) => differs(known.get(row.id), row));
  if (news.length === 0) return { newlyPaid, changed: false };
  const replaced = news.map(({ id }) => id);
  await trx.deleteFrom('orderInvoices').where('id', 'in', replaced).execute();
  await trx.insertInto('orderInvoices').values(news).execute();
  return { newlyPaid, changed: true };
}

/** The columns that a provider may leave out; stored values are then kept. */
const NOT_REPORTED = {
  number: null,
  periodStart: null,
  periodEnd: null,
  cardBrand: null,
  cardLast4: null,
};

/** Saves charges. The order must be locked. */
async function saveCharges(
  trx: Db,
  orderId: number,
  charges: readonly Charge[],
): Promise<SavedCharges> {
  const newlyDisputed: Charge[] = [];
  if (charges.length === 0) return { newlyDisputed, changed: false };
  const ids = charges.map(({ id }) => id);
  const stored = await trx.selectFrom('orderCharges').selectAll().where('id', 'in', ids).execute();
  const known = new Map(stored.map((row) => [row.id, row]));
  const rows = charges.map((charge): Row<'orderCharges'> => {
    const { id, amount, refunded, dispute } = charge;
    const before = known.get(id);
    // A closed dispute stays closed when its opening arrives later.
    const closed = before?.dispute && before.dispute !== 'open' ? before.dispute : null;
    const after = closed ?? dispute ?? before?.dispute ?? null;
    if (after !== null && !before?.dispute) newlyDisputed.push(charge);
    return { id, orderId, amountCents: amount, refundedCents: refunded, dispute: after };
  });
  const news = rows.filter((row) => differs(known.get(row.id), row));
  if (news.length === 0) return { newlyDisputed, changed: false };
  const replaced = news.map(({ id }) => id);
  await trx.deleteFrom('orderCharges').where('id', 'in', replaced).execute();
  await trx.insertInto('orderCharges').values(news).execute();
  return { newlyDisputed, changed: true };
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
  const paidInvoices = invoices.filter(({ paid }) => paid);
  const taken = Math.max(
    totalOf(paidInvoices.map(({ amountCents: amount }) => ({ amount }))),
    totalOf(charges.map(({ amountCents: amount }) => ({ amount }))),
  );
  const lastPaidAt = Math.max(0, ...paidInvoices.map(({ createdAt }) => createdAt));
  const refunded = totalOf(charges.map(({ refundedCents: amount }) => ({ amount })));
  const disputes = charges.map(({ dispute }) => dispute);
  return {
    /** A charge counts as paid, since its invoice may be reported later. */
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
