/**
 * An order that is not paid is given up: for another payer of its quote, because the quote has changed, by staff, or because
 * nobody has paid for too long. Its payment is canceled at the provider first, which fails once the customer has paid.
 */
import {
  type FollowedOrder,
  followLook,
  followNow,
  type OrderDeps,
} from './follow-payment.server.ts';
import type { PaymentState, StaffOutcome } from './gateway.server.ts';
import { isOver, isRunning } from './order.ts';
import { type Order, orderNow, statusSince, undecidedOrders } from './order-store.server.ts';

/** 'under-way': the bank is deciding. 'unavailable': the provider could not be asked. Then nothing has changed. */
export type Abandoned = 'abandoned' | 'under-way' | 'paid' | 'unavailable';

const CANCELED: PaymentState = { status: 'canceled', refused: false, ended: true };

/** `cause` stands in the order's history. Without `evenAtBank`, a customer whom the bank is asking goes first. */
export async function abandonOrder(
  deps: OrderDeps,
  { id }: Pick<Order, 'id'>,
  cause: string,
  { evenAtBank = false } = {},
): Promise<Abandoned> {
  for (;;) {
    const after = await tryToAbandon(deps, await orderNow(deps.db, { id }), cause, evenAtBank);
    // A payment that was started meanwhile must be canceled too.
    if (after === 'outdated') continue;
    if (typeof after === 'string') return after;
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
  // Another provider's payments cannot be asked about any more.
  if (known.provider !== gateway.provider) return followLook(deps, known, CANCELED, cause);
  const order = await followNow(deps, known, cause);
  if (order === 'unavailable' || isRunning(order.status) || isOver(order.status)) return order;
  if (order.status === 'processing' && !evenAtBank) return order;
  const outcome = await gateway.cancelPayment(order);
  if (outcome === 'canceled') return followLook(deps, order, CANCELED, cause);
  return outcome === 'succeeded' ? followNow(deps, order, cause) : outcome;
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
): Promise<StaffOutcome> {
  const outcome = await abandonOrder(deps, order, `Canceled by ${username}`, { evenAtBank: true });
  if (outcome === 'abandoned') return 'done';
  return outcome === 'unavailable' ? outcome : { refused: TOO_LATE[outcome] };
}

/** How long a bank may leave its customer's approval open, and a customer the payment. */
const AT_BANK_MS = 60 * 60 * 1000;
const UNPAID_MS = 24 * 60 * 60 * 1000;

/** Gives up what nobody has paid for too long. What the provider does not answer is left for the next time. */
export async function expireOrders(deps: OrderDeps, isStopped: () => boolean): Promise<void> {
  const { db, gateway } = deps;
  const now = Date.now();
  for (const order of await undecidedOrders(db, gateway.provider, gateway.live, now - AT_BANK_MS)) {
    if (isStopped()) return;
    const isAtBank =
      order.status === 'processing' && (await statusSince(db, order.id)) <= now - AT_BANK_MS;
    if (!isAtBank && order.createdAt > now - UNPAID_MS) continue;
    await abandonOrder(deps, order, 'Not paid in time', { evenAtBank: true });
  }
}
