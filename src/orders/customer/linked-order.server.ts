/** The order that a receipt's link opens. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import type { CallRequest } from '../../platform/http/call.server.ts';
import { providerUnavailable } from '../gateway.server.ts';
import { isErased } from '../order.ts';
import { findOrder, type Order } from '../order-store.server.ts';
import type { NotDone } from '../subscription.server.ts';
import type { OrderPageLinks } from './order-page-link.server.ts';

export interface LinkDeps {
  db: Kysely<Tables>;
  links: OrderPageLinks;
}

type Asked<Body> = Pick<CallRequest<Body>, 'body' | 'accept'>;

/** What answers a call that has a link's token: it does this with the link's order, and counts. */
export function withLinkedOrder<Body extends { token: string }, Done>(
  deps: LinkDeps,
  act: (order: Order, body: Body) => Promise<Done | NotDone>,
) {
  return async ({ body, accept }: Asked<Body>): Promise<Done | Response> => {
    const order = await linkedOrder(deps, body.token);
    if (!order) return refuse(404, 'This link isn’t valid');
    accept();
    const done = await act(order, body);
    if (done === 'away') return providerUnavailable();
    return isRefused(done) ? refuse(409, done.refused) : done;
  };
}

async function linkedOrder({ db, links }: LinkDeps, token: string): Promise<Order | undefined> {
  const id = await links.read(token);
  const order = id === undefined ? undefined : await findOrder(db, id);
  // Behind it would be the provider's page, with all that was erased here.
  return order && isErased(order) ? undefined : order;
}

function isRefused(done: unknown): done is { refused: string } {
  return typeof done === 'object' && done !== null && 'refused' in done;
}
