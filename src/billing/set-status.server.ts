/** Staff set the status of an order by hand. */
import type { Site } from '../site.server.ts';
import type { Order } from './billed-order.server.ts';
import type { Cause } from './cause.server.ts';
import { insertEvent, recordEvent } from './order-event-store.server.ts';
import type { OrderStatus } from './order-status.ts';
import { lockOrder, updateOrder } from './order-store.server.ts';
import { statusEvents } from './status-events.server.ts';

/**
 * Sets a status on behalf of staff, who decided on the order as it `was`. Returns undefined when it
 * has changed since.
 */
export async function setStatus(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  decidedOn: Order,
  to: OrderStatus,
  cause: Cause,
): Promise<Order | undefined> {
  const { id, version } = decidedOn;
  return db.transaction().execute(async (trx) => {
    if ((await lockOrder(trx, id)).version !== version) return undefined;
    const after = await updateOrder(trx, id, { status: to });
    for (const draft of statusEvents({ before: decidedOn, after }, [to]))
      await recordEvent({ db: trx, notify }, after, draft, cause);
    if (to === 'canceled') await insertEvent(trx, id, { kind: 'not-refunded' }, cause);
    return after;
  });
}
