/** Orders belong to the provider and the mode, of test or live keys, in which they were placed. */
import { sql } from 'kysely';
import type { Order } from './billed-order.server.ts';
import type { Gateway } from './gateway.server.ts';
import type { Refused } from './outcome.server.ts';

export type ProviderMode = Pick<Gateway, 'provider' | 'chargesRealMoney'>;
type Placed = Pick<Order, 'subscription'>;

/** Whether the provider has the subscription, in this mode. */
export function isAt({ provider, chargesRealMoney }: ProviderMode) {
  return sql<boolean>`("provider" = ${provider} and "live" = ${chargesRealMoney ? 1 : 0})`;
}

/** The same of an order that has been read. */
export function isOrderAt(mode: ProviderMode, { subscription }: Placed): boolean {
  const { provider, live } = subscription;
  return provider === mode.provider && (live === 1) === mode.chargesRealMoney;
}

/** Returns undefined when the order belongs to the active provider in its present mode. */
export function refuseOtherProvider(mode: ProviderMode, order: Placed): Refused | undefined {
  if (isOrderAt(mode, order)) return undefined;
  const { provider, live } = order.subscription;
  return provider === mode.provider
    ? { refused: `The order was placed in ${live ? 'live' : 'test'} mode, which is not active now` }
    : { refused: `The order was placed with another payment provider (${provider})` };
}

/** The order's customer at the provider that took the order; null when it has none. */
export function customerOf(
  gateway: ProviderMode & Pick<Gateway, 'name' | 'customerUrl'>,
  order: Placed,
) {
  const { provider, customerId: id } = order.subscription;
  if (id === null) return null;
  return isOrderAt(gateway, order)
    ? { id, provider: gateway.name, url: gateway.customerUrl(id) }
    : { id, provider, url: null };
}
