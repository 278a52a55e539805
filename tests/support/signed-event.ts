/** What signed events say, as a receiver would read it now. */
import type { OrderEvent } from '../../src/billing/order-event.server.ts';
import { readEvents } from '../../src/billing/order-event-store.server.ts';
import { ORDER_NOTIFICATIONS } from '../../src/orders/order-notifications.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { ownContent } from './own-content.ts';

/** The newest event of that kind. */
export async function signedData(db: Db, orderId: number, kind: OrderEvent['kind']) {
  const notification = ORDER_NOTIFICATIONS.find((one) => one.kind === `order-${kind}`);
  const newest = (await readEvents(db, orderId)).findLast(({ event }) => event.kind === kind);
  const subject = await notification?.find(db, orderId, newest?.id ?? 0);
  const context = {
    db,
    company: ownContent().company,
    publicUrl: 'https://tidewell.example',
    isOwnAddress: () => false,
  };
  return subject && notification?.event?.data(subject, context);
}
