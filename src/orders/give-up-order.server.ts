/** An order that nobody has paid makes room for another: of a quote that somebody else wants to pay, or that has changed. */
import { cancelSubscription } from './cancel-subscription.server.ts';
import { type FollowDeps, followPayment } from './follow-payment.server.ts';
import type { Gateway } from './gateway.server.ts';
import { isOver, isRunning } from './order.ts';
import type { Order } from './order-store.server.ts';
import { wasStarted } from './payment.ts';

export interface GiveUpDeps extends FollowDeps {
  gateway: Gateway;
}

/** 'paid' and 'under-way': it is too late. 'away': the provider could not be asked. */
export type GivenUp = 'given-up' | 'under-way' | 'paid' | 'away';

/** The provider is asked first: the customer may have paid just now. `why` stands in the order's history. */
export async function giveUpOrder(
  { db, notify, gateway }: GiveUpDeps,
  order: Order,
  why: string,
): Promise<GivenUp> {
  let { status } = order;
  const ours = order.provider === gateway.provider;
  if (ours && wasStarted(order)) {
    const state = await gateway.fetchPaymentState(order);
    if (state === 'away') return 'away';
    ({ status } = await followPayment({ db, notify }, order.id, state, why));
  }
  if (isRunning(status)) return 'paid';
  if (isOver(status)) return 'given-up';
  if (status === 'processing') return 'under-way';
  if (ours) await cancelSubscription({ db, gateway }, order);
  const ended = { status: 'canceled', refused: false, ended: true } as const;
  const after = await followPayment({ db, notify }, order.id, ended, why);
  return isRunning(after.status) ? 'paid' : 'given-up';
}
