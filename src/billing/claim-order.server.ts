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
const BUSY = {
  refused: 'Another change of this order is being made right now. Please try again in a moment.',
};

/** Runs `act` with the claimed order, unless it is not as it `was`. */
export async function whileClaimed<Done>(
  db: Db,
  was: Pick<Order, 'id' | 'version'>,
  act: (order: Order) => Promise<Done>,
  refuse: (order: Order) => Refused = outdated,
): Promise<Done | Refused> {
  const now = Date.now();
  const claim = { orderId: was.id, until: (deadline()?.at ?? now) + SPARE_MS };
  const claimed = await db
    .insertInto('orderClaims')
    .values(claim)
    .onConflict((conflict) =>
      conflict
        .column('orderId')
        .doUpdateSet({ until: claim.until })
        .where('orderClaims.until', '<=', now),
    )
    .returning('orderId')
    .executeTakeFirst();
  if (!claimed) return BUSY;
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
