/** The order that a receipt's link opens. */
import type { Kysely } from 'kysely';
import { providerUnavailable } from '../orders/gateway.server.ts';
import { isErased } from '../orders/order.ts';
import type { OrderPageLinks } from '../orders/order-page-link.server.ts';
import { hasAccess, type Order } from '../orders/order-store.server.ts';
import type { NotDone } from '../orders/subscription.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import type { CallRequest } from '../platform/http/call.server.ts';
import { type Cookies, tokenHash } from '../platform/http/cookies.server.ts';

export interface LinkDeps {
  db: Kysely<Tables>;
  links: OrderPageLinks;
  cookies: Cookies;
}

const LINK_ONLY_SHOWS = {
  refused:
    'This link only shows your order. To change it, please ask for a link by email: it works once, for 30 minutes.',
};

type Asked<Body> = Pick<CallRequest<Body>, 'body' | 'accept' | 'headers'>;

/** What answers a call that has a link's token: it does this with the link's order, and counts. */
export function withLinkedOrder<Body extends { token: string }, Done>(
  deps: LinkDeps,
  act: (order: Order, body: Body, headers: Headers) => Promise<Done | NotDone>,
) {
  return async ({ body, accept, headers }: Asked<Body>): Promise<Done | Response> => {
    const order = await linkedOrder(deps, body.token);
    if (!order) return refuse(404, 'This link isn’t valid');
    accept();
    const done = await act(order, body, headers);
    if (done === 'unavailable') return providerUnavailable();
    return isRefused(done) ? refuse(409, done.refused) : done;
  };
}

/** The same for what changes something: the link alone is not enough. */
export function withOwnOrder<Body extends { token: string }, Done>(
  deps: LinkDeps,
  act: (order: Order, body: Body, headers: Headers) => Promise<Done | NotDone>,
) {
  return withLinkedOrder(deps, async (order: Order, body: Body, headers) =>
    (await mayChange(deps, order, headers)) ? act(order, body, headers) : LINK_ONLY_SHOWS,
  );
}

/** Whether this browser has placed the order, or has opened a link that admits it. */
export function mayChange(
  { db, cookies }: LinkDeps,
  { id }: Order,
  headers: Headers,
): Promise<boolean> {
  return hasAccess(db, id, tokenHash(cookies.read(headers.get('cookie'), 'order_key')));
}

async function linkedOrder({ links }: LinkDeps, token: string): Promise<Order | undefined> {
  const order = await links.find(token);
  // Behind it would be the provider's page, with all that was erased here.
  return order && isErased(order) ? undefined : order;
}

function isRefused(done: unknown): done is { refused: string } {
  return typeof done === 'object' && done !== null && 'refused' in done;
}
