/** The order that a receipt's link opens. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { isErased } from '../order.ts';
import { findOrder, type Order } from '../order-store.server.ts';
import type { OrderPageLinks } from './order-page-link.server.ts';

export async function linkedOrder(
  { db, links }: { db: Kysely<Tables>; links: Pick<OrderPageLinks, 'read'> },
  token: string,
): Promise<Order | undefined> {
  const id = await links.read(token);
  const order = id === undefined ? undefined : await findOrder(db, id);
  // Behind it would be the provider's page, with all that was erased here.
  return order && isErased(order) ? undefined : order;
}

export function unknownLink(): Response {
  return refuse(404, 'This link isn’t valid');
}
