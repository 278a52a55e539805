/**
 * Whoever has everything back, or has been told that an order is canceled, is charged no more: whoever decided it,
 * and whatever was killed or lost on the way.
 */
import type { Gateway, OrderBook } from './gateway.server.ts';

interface Deps {
  gateway: Pick<Gateway, 'cancel' | 'live'>;
  book: Pick<OrderBook, 'charged' | 'noteOnce'>;
}

/** Ends the subscriptions of orders that are over, or of this one if it is. What Stripe does not answer is left for later. */
export async function endCharges({ gateway, book }: Deps, orderId?: number): Promise<void> {
  for (const order of await book.charged('stripe', gateway.live, orderId)) {
    const outcome = await gateway.cancel(order, 'now');
    if (outcome === 'done' || outcome === 'away') continue;
    const note = `The subscription must be ended at Stripe by hand: ${outcome.refused}`;
    await book.noteOnce(order.id, note);
  }
}
