/** What the link in a receipt opens: the order as it stands, and the provider's page for invoices, cards and ending. */

import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import type { Limit } from '../../platform/http/rate-limit.server.ts';
import type { Gateway } from '../gateway.server.ts';
import { GET_LINKED_ORDER, OPEN_BILLING } from '../order-contracts.ts';
import { orderJson } from '../order-json.server.ts';
import { ownOrder, pageAddress, tokenRequest } from '../order-shapes.ts';
import { providerUnavailable } from '../provider-unavailable.server.ts';
import { linkedOrder, unknownLink } from './linked-order.server.ts';
import type { OrderPageLinks } from './order-page-link.server.ts';

const BILLING_LIMIT: Limit = { name: 'billing-page', rules: [{ calls: 20, seconds: 60 }] };

interface Deps {
  db: Kysely<Tables>;
  gateway: Gateway;
  links: OrderPageLinks;
}

export function orderPageCalls({ db, gateway, links }: Deps): Call[] {
  return [
    call(GET_LINKED_ORDER, {
      access: 'anyone',
      body: tokenRequest,
      answer: ownOrder,
      handle: async ({ body: { token } }) => {
        const order = await linkedOrder({ db, links }, token);
        return order ? orderJson(order) : unknownLink();
      },
    }),
    call(OPEN_BILLING, {
      access: 'anyone',
      limit: BILLING_LIMIT,
      body: tokenRequest,
      answer: pageAddress,
      handle: async ({ body: { token }, accept }) => {
        const order = await linkedOrder({ db, links }, token);
        if (!order) return unknownLink();
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
