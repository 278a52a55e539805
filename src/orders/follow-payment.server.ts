/** An order follows its payment: whatever the provider says, in whatever order it arrives. */
import type { Kysely } from 'kysely';
import type { Notify } from '../notifications/outbox.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { followPlan } from './follow-plan.server.ts';
import type { BilledInvoice, Gateway, PaymentState } from './gateway.server.ts';
import {
  awaitsPayment,
  isOver,
  isRunning,
  mayFollow,
  type OrderNews,
  type OrderStatus,
  orderReference,
  RENEWED,
} from './order.ts';
import {
  addNote,
  type Billing,
  lockOrder,
  type Newly,
  noteOnce,
  readBilling,
  rememberBilling,
} from './order-billing-store.server.ts';
import { orderNotification } from './order-mails.server.ts';
import {
  changeStatus,
  type Order,
  orderNow,
  runningBeside,
  setBilling,
} from './order-store.server.ts';

const NO_CARD = 'Nothing was due for the first month, so no card is on file for the next';

export interface FollowDeps {
  /** In which the order follows; where it is a transaction, with what else that stores. */
  db: Kysely<Tables>;
  notify: Notify;
}

export interface OrderDeps extends FollowDeps {
  gateway: Gateway;
}

/**
 * The order follows what the provider says of it now, and what it `has` said already. 'unavailable': it could not be asked, and
 * what it says comes by another way later.
 */
export async function followNow(
  { gateway, ...deps }: OrderDeps,
  known: Order,
  cause: string,
  has: Pick<PaymentState, 'charges' | 'ended' | 'endsAt'> = {},
): Promise<Order | 'unavailable'> {
  for (let order = known; ; order = await orderNow(deps.db, known)) {
    const state = await gateway.fetchPaymentState(order);
    if (state === 'unavailable') return state;
    const charges = [...(state.charges ?? []), ...(has.charges ?? [])];
    const after = await followLook(deps, order, { ...state, ...has, charges }, cause);
    if (after !== 'outdated') return after;
  }
}

/** 'outdated': the order has followed something else since the provider was asked, which may be newer. */
export type FollowedOrder = Order | 'outdated';

/** The order follows what the provider said when it was asked about the order as it `was`. */
export function followLook(
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
 * Moves an order to where its payment is, and gives the order as it stands then. What is known of bills and charges is
 * stored first, and the status follows from all that is known; what may not follow (an old message about a paid
 * order) changes nothing.
 */
export async function followPayment(
  { db, notify }: FollowDeps,
  orderId: number,
  payment: PaymentState,
  cause: string,
): Promise<Order> {
  const follow = async (trx: Kysely<Tables>) => {
    const known = await lockOrder(trx, orderId);
    const before = payment.plan ? await followPlan(trx, notify, known, payment.plan) : known;
    const newly = await rememberBilling(trx, before, payment);
    const billing = await readBilling(trx, orderId);
    let from = before.status;
    for (const to of steps(from, wantedStatus(payment, billing, from), billing)) {
      await moveOrder(trx, notify, { orderId, from, to, cause });
      from = to;
    }
    await setBilling(trx, orderId, {
      refundedCents: billing.refunded,
      dispute: billing.dispute,
      endsAt: payment.endsAt,
      subscriptionEnded: payment.ended ? 1 : undefined,
    });
    const after = await orderNow(trx, before);
    await addNote(trx, orderId, ...remarks(before, after, newly.newlyPaid, cause));
    for (const note of payment.notes ?? []) await noteOnce(trx, orderId, note);
    for (const kind of newsBesideStatus(before, after, newly, billing)) {
      await notify(trx, orderNotification(kind), orderId);
    }
    if (awaitsPayment(before.status) && after.status === 'paid') {
      await noteSecond(trx, after);
      if (after.subscriptionId && !after.paymentId) await addNote(trx, orderId, NO_CARD);
    }
    return after;
  };
  return db.isTransaction ? follow(db) : db.transaction().execute(follow);
}

/** The status that all that is known asks for; that which the order has, while nothing has been tried. */
function wantedStatus(payment: PaymentState, billing: Billing, from: OrderStatus): OrderStatus {
  // From these no way leads back, should the rest tell otherwise.
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
 * The way to the wanted status: what has been paid passes through 'paid', also when a later month was overdue before
 * everything was refunded; a payment after a refusal passes through 'processing'.
 */
function steps(from: OrderStatus, wanted: OrderStatus, { paid }: Billing): OrderStatus[] {
  const way: OrderStatus[] = [];
  const at = () => way.at(-1) ?? from;
  const go = (to: OrderStatus) => {
    if (at() === 'failed' && (to === 'paid' || to === 'canceled')) way.push('processing');
    if (at() === 'past_due' && to === 'refunded') way.push('paid');
    if (mayFollow(at(), to, 'provider')) way.push(to);
  };
  if (paid && awaitsPayment(from)) go('paid');
  go(wanted);
  return way;
}

/** What staff should know although no status tells it. */
function remarks(
  before: Order,
  after: Order,
  newlyPaid: readonly BilledInvoice[],
  cause: string,
): string[] {
  const found: string[] = [];
  if (after.refundedCents > before.refundedCents) {
    found.push(`${formatDollars(cents(after.refundedCents))} refunded in all (${cause})`);
  }
  if (after.dispute !== before.dispute) found.push(`Dispute ${after.dispute} (${cause})`);
  if (after.endsAt !== before.endsAt) {
    found.push(after.endsAt === null ? 'The subscription goes on' : ending(after.endsAt));
  }
  for (const { amount, renewal } of newlyPaid) {
    const shown = formatDollars(amount);
    if (isOver(before.status)) {
      found.push(`${shown} was taken although the order is ${before.status} (${cause})`);
    } else if (renewal) {
      found.push(`${RENEWED}: ${shown} (${cause})`);
    }
  }
  return found;
}

function ending(at: number): string {
  return `The subscription ends on ${new Date(at).toISOString().slice(0, 10)}`;
}

/** What people are notified of beside a change of the status. */
function newsBesideStatus(
  before: Order,
  after: Order,
  { newlyPaid, newlyDisputed }: Newly,
  { reversed, refunded }: Billing,
): OrderNews[] {
  const news = Array.from<unknown, OrderNews>({ length: newlyDisputed }, () => 'order-disputed');
  if (after.refundedCents > before.refundedCents && after.status !== 'refunded') {
    news.push('order-refunded');
  }
  if ((before.endsAt === null) !== (after.endsAt === null) && isRunning(after.status)) {
    news.push('order-ending');
  }
  // One receipt also when several months are paid at once: it leads to all of them.
  if (isRunning(before.status) && newlyPaid.some(({ renewal }) => renewal)) {
    news.push('order-renewed');
  }
  // The refund of a payment may arrive before the payment.
  const isRefunded = reversed && refunded > 0;
  if (isOver(before.status) && newlyPaid.length > 0 && !isRefunded) {
    news.push('order-paid-after-end');
  }
  return news;
}

/** Two subscriptions of one plan may be a mistake, of which only staff are notified. */
async function noteSecond(trx: Kysely<Tables>, order: Order): Promise<void> {
  const others = await runningBeside(trx, order);
  if (others.length === 0) return;
  const numbers = others.map((id) => orderReference(id)).join(', ');
  const note = `The same plan is running for this address already (${numbers}): is a second one wanted?`;
  await addNote(trx, order.id, note);
}

interface Move {
  orderId: number;
  from: OrderStatus;
  to: OrderStatus;
  cause: string;
}

/** Changes the status and notifies, in one transaction; false when another change was faster. */
export async function moveOrder(
  trx: Kysely<Tables>,
  notify: Notify,
  { orderId, from, to, cause }: Move,
): Promise<boolean> {
  if (!(await changeStatus(trx, orderId, from, to, cause))) return false;
  const kind = newsOfMove(from, to);
  if (kind) await notify(trx, orderNotification(kind), orderId);
  return true;
}

/**
 * Of an order that was never paid nobody hears: its address may be somebody else's. A renewal that was past due is no
 * second purchase, so it brings no second receipt.
 */
function newsOfMove(from: OrderStatus, to: OrderStatus): OrderNews | undefined {
  if (to === 'paid' && awaitsPayment(from)) return 'order-paid';
  if (!isRunning(from)) return undefined;
  if (to === 'past_due') return 'order-renewal-failed';
  if (to === 'refunded') return 'order-refunded';
  return to === 'canceled' ? 'order-ended' : undefined;
}
