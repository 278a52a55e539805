/**
 * One change of an order at a time, on all instances: the provider is called while it is claimed.
 */

import type { Db } from '../platform/database/tables.server.ts';
import { deadline } from '../platform/deadline.server.ts';
import type { Order } from './billed-order.server.ts';
import { getOrder } from './order-store.server.ts';
import { outdated, type Refused } from './outcome.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** At most one for each order, deleted when its change is done. */
    orderClaims: {
      orderId: number;
      /** When a claim whose server has died no longer counts. */
      until: number;
    };
  }
}

/** A change that is late stops by itself well before. */
const SPARE_MS = 3_000;
export const BUSY = {
  refused: 'Another change of this order is being made right now. Please try again in a moment.',
};

/** Runs `act` with the claimed order, unless it is not as it `was`. */
export async function whileClaimed<Done>(
  db: Db,
  was: Pick<Order, 'id' | 'version'>,
  act: (order: Order) => Promise<Done>,
  refuse: (order: Order) => Refused = outdated,
): Promise<Done | Refused> {
  // What is refused must not wait for the disk.
  const seen = await getOrder(db, was);
  if (seen.version !== was.version) return refuse(seen);
  const claim = { orderId: was.id, until: (deadline()?.at ?? Date.now()) + SPARE_MS };
  if (!(await claimAll(db, [was.id], claim.until))) return BUSY;
  try {
    const order = await getOrder(db, was);
    return order.version === was.version ? await act(order) : refuse(order);
  } finally {
    await db
      .deleteFrom('orderClaims')
      .where('orderId', '=', claim.orderId)
      .where('until', '=', claim.until)
      .execute();
  }
}

/** Until a time in milliseconds since 1970. False if one of the orders is being changed. */
export async function claimAll(
  db: Db,
  orderIds: readonly number[],
  until: number,
): Promise<boolean> {
  const claimed = await db
    .insertInto('orderClaims')
    .values(orderIds.map((orderId) => ({ orderId, until })))
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet({ until })
        .where('orderClaims.until', '<=', Date.now()),
    )
    .returning('orderId')
    .execute();
  return claimed.length === orderIds.length;
}
