/**
 * An order that is not paid is abandoned: for another payer of its quote, because the quote has changed, by staff, or
 * because it has been unpaid for too long. Its payment is canceled at the provider first, which fails once the customer has
 * paid. Whoever ends an unpaid order goes this way.
 */

import { isolated } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import {
  type FollowedOrder,
  followNow,
  followUnlessOutdated,
  type OrderDeps,
} from './follow-payment.server.ts';
import {
  type Gateway,
  isNotDone,
  type Outcome,
  type PaymentState,
  type Refused,
} from './gateway.server.ts';
import { awaitsPayment, isOver, isRunning, wasStarted } from './order.ts';
import {
  addNote,
  findOrdersToEnd,
  findUnpaidOrders,
  getOrder,
  noteOnce,
  type Order,
  statusSince,
} from './order-store.server.ts';

/** 'under-way': the bank is deciding. 'unavailable': the provider could not be reached. Then nothing has changed. */
type Abandoned = 'abandoned' | 'under-way' | 'paid' | 'unavailable';

const CANCELED: PaymentState = { status: 'canceled', refused: false };
const ENDED: PaymentState = { ...CANCELED, ended: true };

/**
 * `cause` stands in the order's history. Without `evenAtBank`, a customer whom the bank is asking goes first. Of an order
 * that is over already, a payment that was started too late is canceled.
 */
export async function abandonOrder(
  deps: OrderDeps,
  { id }: Pick<Order, 'id'>,
  cause: string,
  { evenAtBank = false } = {},
): Promise<Abandoned> {
  for (;;) {
    const after = await tryToAbandon(deps, await getOrder(deps.db, { id }), cause, evenAtBank);
    // A payment that was started meanwhile must be canceled too.
    if (after === 'outdated') continue;
    if (after === 'unavailable') return after;
    if (isRunning(after.status)) return 'paid';
    return isOver(after.status) ? 'abandoned' : 'under-way';
  }
}

async function tryToAbandon(
  deps: OrderDeps,
  known: Order,
  cause: string,
  evenAtBank: boolean,
): Promise<FollowedOrder | 'unavailable'> {
  const { gateway } = deps;
  // Only this site's database holds test payments, and none can be confirmed while Stripe takes the payments.
  if (known.provider === 'test' && gateway.provider !== 'test')
    return followUnlessOutdated(deps, known, ENDED, cause);
  if (known.provider !== gateway.provider) return 'unavailable';
  const order = await followNow(deps, known, cause);
  if (order === 'unavailable' || isRunning(order.status)) return order;
  if (isOver(order.status) && (order.subscriptionEnded === 1 || !wasStarted(order))) return order;
  if (order.status === 'processing' && !evenAtBank) return order;
  const outcome = await gateway.cancelPayment(order);
  // What is being started at this moment has not ended with the order.
  if (outcome === 'canceled')
    return followUnlessOutdated(deps, order, wasStarted(order) ? ENDED : CANCELED, cause);
  if (outcome !== 'succeeded') return 'unavailable';
  await cancelIfOver(deps, order);
  return followNow(deps, order, cause);
}

const TOO_LATE = {
  paid: 'The customer has paid in the meantime. Please look at the order again.',
  'under-way': 'The bank is deciding on this payment right now. Please try again in a minute.',
};

/** Staff's word also ends what the bank has not decided. */
export async function cancelUnpaid(
  deps: OrderDeps,
  order: Order,
  username: string,
): Promise<Outcome> {
  const outcome = await abandonOrder(deps, order, `Canceled by ${username}`, { evenAtBank: true });
  if (outcome === 'abandoned') return 'done';
  if (outcome !== 'unavailable') return { refused: TOO_LATE[outcome] };
  return refuseOtherProvider(order, deps.gateway) ?? outcome;
}

/** An order that is not paid is abandoned. A month that has not been paid cannot be used to its end. */
export async function endOrder(
  deps: OrderDeps,
  order: Order,
  when: 'now' | 'period-end',
  username: string,
): Promise<Outcome> {
  if (awaitsPayment(order.status)) return cancelUnpaid(deps, order, username);
  const effective = order.status === 'paid' ? when : 'now';
  const outcome = await deps.gateway.cancel(order, effective);
  if (outcome !== 'done') return outcome;
  const ends = effective === 'now' ? 'at once' : 'at the end of the paid month';
  const note = `Ended ${ends} by ${username}`;
  await addNote(deps.db, order.id, note);
  // An order that never reached the provider has ended too.
  await followNow(deps, order, note, effective === 'now' ? { ended: true } : {});
  return 'done';
}

/** Undefined for an order of the provider that takes the payments now. */
export function refuseOtherProvider(
  { provider }: Pick<Order, 'provider'>,
  gateway: Pick<Gateway, 'provider'>,
): Refused | undefined {
  return provider === gateway.provider
    ? undefined
    : { refused: `The order was placed with another payment provider (${provider})` };
}

/** How long a bank may leave its customer's approval open, and a customer the payment. */
const AT_BANK_MS = HOUR_MS;
const UNPAID_MS = DAY_MS;

/** Abandons what has been unpaid for too long. */
export async function expireOrders(deps: OrderDeps, isStopped: () => boolean): Promise<void> {
  const { db, gateway } = deps;
  const now = Date.now();
  for (const order of await findUnpaidOrders(db, gateway, now - AT_BANK_MS)) {
    if (isStopped()) return;
    await isolated('order-not-expired', { orderId: order.id }, async () => {
      const isAtBank =
        order.status === 'processing' && (await statusSince(db, order.id)) <= now - AT_BANK_MS;
      if (isAtBank || order.createdAt <= now - UNPAID_MS)
        await abandonOrder(deps, order, 'Not paid in time', { evenAtBank: true });
    });
  }
}

type EndingDeps = Omit<OrderDeps, 'notify'>;

/** Ends the subscriptions of all orders that are over. */
export async function cancelOrphanedSubscriptions(deps: EndingDeps): Promise<void> {
  for (const order of await findOrdersToEnd(deps.db, deps.gateway))
    await isolated('subscription-not-ended', { orderId: order.id }, () =>
      cancelIfOver(deps, order),
    );
}

/** The customer of an order that is over is charged no more; reconciliation tries again what fails here. */
export async function cancelIfOver({ db, gateway }: EndingDeps, order: Order): Promise<void> {
  if (!isOver(order.status) || order.subscriptionEnded === 1) return;
  // A first bill that is still open could be paid after the end.
  const bill = await gateway.cancelPayment(order);
  const end = bill === 'unavailable' ? bill : await gateway.cancel(order, 'now');
  const failure = [end, bill].find(isNotDone);
  if (!failure) return;
  const note =
    failure === 'unavailable'
      ? 'The subscription could not be ended yet, which is tried again'
      : `The subscription must be ended at Stripe by hand: ${failure.refused}`;
  await noteOnce(db, order.id, note);
}
