/** What the link in a receipt opens: the order as it stands, and the provider's page for invoices, cards and ending. */

import type { Gateway } from '../orders/gateway.server.ts';
import { GET_LINKED_ORDER, OPEN_BILLING } from '../orders/order-api.ts';
import { orderJson } from '../orders/order-calls.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { type LinkDeps, withLinkedOrder, withOwnOrder } from './linked-order.server.ts';

const BILLING_LIMIT: Limit = { name: 'billing-page', rules: [{ calls: 20, seconds: 60 }] };
const NO_BILLING = { refused: 'There is no billing to manage for this order' };

interface Deps extends LinkDeps {
  gateway: Gateway;
}

export function orderPageCalls(deps: Deps): Call[] {
  const { gateway, links } = deps;
  return [
    call(GET_LINKED_ORDER, {
      access: 'anyone',
      handle: withLinkedOrder(deps, async (order) => orderJson(order)),
    }),
    call(OPEN_BILLING, {
      access: 'anyone',
      limit: BILLING_LIMIT,
      // Each of these asks the provider.
      handle: withOwnOrder(deps, async (order) => {
        const ours = order.provider === gateway.provider;
        const url = ours ? await gateway.billingPage(order, links.address(order)) : null;
        if (url === 'unavailable') return url;
        return url ? { url } : NO_BILLING;
      }),
    }),
  ];
}
