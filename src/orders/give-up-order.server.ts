/** An order that nobody has paid makes room for another: of a quote that somebody else wants to pay, or that has changed. */
import { cancelSubscription } from './cancel-subscription.server.ts';
import { followNow, followPayment, type OrderDeps } from './follow-payment.server.ts';
import { isOver, isRunning } from './order.ts';
import type { Order } from './order-store.server.ts';
import { wasStarted } from './payment.ts';

/** 'paid' and 'under-way': it is too late. 'away': the provider could not be asked. */
export type GivenUp = 'given-up' | 'under-way' | 'paid' | 'away';

/** The provider is asked first: the customer may have paid just now. `why` stands in the order's history. */
export async function giveUpOrder(deps: OrderDeps, order: Order, why: string): Promise<GivenUp> {
  const ours = order.provider === deps.gateway.provider;
  const now = ours && wasStarted(order) ? await followNow(deps, order, why) : order;
  if (now === 'away') return 'away';
  const { status } = now;
  if (isRunning(status)) return 'paid';
  if (isOver(status)) return 'given-up';
  if (status === 'processing') return 'under-way';
  if (ours) await cancelSubscription(deps, order);
  const ended = { status: 'canceled', refused: false, ended: true } as const;
  const after = await followPayment(deps, order.id, ended, why);
  return isRunning(after.status) ? 'paid' : 'given-up';
}
