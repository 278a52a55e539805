/** The statuses of an order, and how one may follow another. */

export const ORDER_STATUSES = [
  'pending',
  'processing',
  'paid',
  'failed',
  'canceled',
  'past_due',
  'refunded',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Before it is paid, an order follows its first payment; from then on, its subscription. */
export function awaitsPayment(status: OrderStatus): boolean {
  return status === 'pending' || status === 'processing' || status === 'failed';
}

/** Whether the order is charged every month. */
export function isRunning(status: OrderStatus): boolean {
  return status === 'paid' || status === 'past_due';
}

/** Only a payment provider may also move an order from pending to paid. */
const TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  pending: ['processing', 'failed', 'canceled'],
  processing: ['paid', 'failed', 'canceled'],
  failed: ['processing'],
  paid: ['past_due', 'refunded', 'canceled'],
  past_due: ['paid', 'canceled'],
  canceled: [],
  refunded: [],
};

export function canTransition(
  from: OrderStatus,
  to: OrderStatus,
  by: 'provider' | 'staff',
): boolean {
  if (by === 'provider' && from === 'pending' && to === 'paid') return true;
  return TRANSITIONS[from].includes(to);
}

/** Whether the order is final: nothing more is charged, and no payment reopens it. */
export function isOver(status: OrderStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

export const REFUNDABLE: readonly OrderStatus[] = ['paid', 'past_due', 'canceled'];

/** Includes refunded orders, whose subscription may still run at the provider. */
export const ENDABLE: readonly OrderStatus[] = ORDER_STATUSES.filter(
  (status) => status !== 'canceled',
);
