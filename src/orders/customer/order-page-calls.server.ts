/** What the link in a receipt opens: the order as it stands, and the provider's page for invoices, cards and ending. */

import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import type { Limit } from '../../platform/http/rate-limit.server.ts';
import type { Gateway } from '../gateway.server.ts';
import { isErased } from '../order.ts';
import { GET_LINKED_ORDER, OPEN_BILLING } from '../order-contracts.ts';
import { orderJson } from '../order-json.server.ts';
import { ownOrder, pageAddress, tokenRequest } from '../order-shapes.ts';
import { findOrder, type Order } from '../order-store.server.ts';
import { providerUnavailable } from '../provider-unavailable.server.ts';
import type { OrderPageLinks } from './order-page-link.server.ts';

const BILLING_LIMIT: Limit = { name: 'billing-page', rules: [{ calls: 20, seconds: 60 }] };

interface Deps {
  db: Kysely<Tables>;
  gateway: Gateway;
  links: OrderPageLinks;
}

export function orderPageCalls({ db, gateway, links }: Deps): Call[] {
  async function linkedOrder(token: string): Promise<Order | undefined> {
    const id = await links.read(token);
    const order = id === undefined ? undefined : await findOrder(db, id);
    // Behind it would be the provider's page, with all that was erased here.
    return order && isErased(order) ? undefined : order;
  }
  const unknown = () => refuse(404, 'This link isn’t valid');

  return [
    call(GET_LINKED_ORDER, {
      access: 'anyone',
      body: tokenRequest,
      answer: ownOrder,
      handle: async ({ body: { token } }) => {
        const order = await linkedOrder(token);
        return order ? orderJson(order) : unknown();
      },
    }),
    call(OPEN_BILLING, {
      access: 'anyone',
      limit: BILLING_LIMIT,
      body: tokenRequest,
      answer: pageAddress,
      handle: async ({ body: { token }, accept }) => {
        const order = await linkedOrder(token);
        if (!order) return unknown();
        // Each of these asks the provider.
        accept();
        const ours = order.provider === gateway.provider;
        const url = ours ? await gateway.billingPage(order, links.address(order.id)) : null;
        if (url === 'away') return providerUnavailable();
        return url ? { url } : refuse(409, 'There is no billing to manage for this order');
      },
    }),
  ];
}
