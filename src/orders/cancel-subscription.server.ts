/**
 * A customer who has got everything back, or has been told that an order is canceled, is charged no more: by whichever
 * way it came to that, and whatever was killed or lost in between.
 */
import type { Kysely } from 'kysely';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { logFault } from '../platform/log.server.ts';
import type { Gateway } from './gateway.server.ts';
import { noteOnce } from './order-billing-store.server.ts';
import { chargedOrders, type Order } from './order-store.server.ts';

interface Deps {
  db: Kysely<Tables>;
  gateway: Pick<Gateway, 'cancel' | 'cancelPayment' | 'provider' | 'live'>;
}

/** Ends the subscription of an order that has just come to its end; reconciliation goes on trying what fails here. */
export async function cancelSubscription({ db, gateway }: Deps, order: Order): Promise<void> {
  const outcome = await gateway.cancel(order, 'now');
  if (outcome === 'done') return;
  const why = outcome === 'unavailable' ? 'the payment provider does not answer' : outcome.refused;
  const note = `The subscription could not be ended yet, which is tried again: ${why}`;
  await noteOnce(db, order.id, note);
}

/** Ends those of all orders that are over, or of this one if it is. An order that fails is left for the next time. */
export async function cancelOrphanedSubscriptions(
  { db, gateway }: Deps,
  orderId?: number,
): Promise<void> {
  for (const order of await chargedOrders(db, gateway.provider, gateway.live, orderId)) {
    try {
      // A first bill that is still open could be paid after the end.
      if ((await gateway.cancelPayment(order)) === 'unavailable') continue;
      const outcome = await gateway.cancel(order, 'now');
      if (outcome === 'done' || outcome === 'unavailable') continue;
      const note = `The subscription must be ended at Stripe by hand: ${outcome.refused}`;
      await noteOnce(db, order.id, note);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // One that cannot be ended must not keep the others waiting.
      logFault('subscription-not-ended', error, { orderId: order.id });
    }
  }
}
