import type { Kysely } from 'kysely';
import type { Gateway } from '../payment/gateway.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { noteOnce } from './order-billing-store.server.ts';
import type { Order } from './order-store.server.ts';

/** Ends what an order that is over would be charged in future; reconciliation goes on trying what fails here. */
export async function chargeNoMore(
  { db, gateway }: { db: Kysely<Tables>; gateway: Gateway },
  order: Order,
): Promise<void> {
  const outcome = await gateway.cancel(order, 'now');
  if (outcome === 'done') return;
  const why = outcome === 'away' ? 'the payment provider does not answer' : outcome.refused;
  const note = `The subscription could not be ended yet, which is tried again: ${why}`;
  await noteOnce(db, order.id, note);
}
