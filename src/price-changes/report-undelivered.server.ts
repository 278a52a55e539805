/** Staff are told once of each notice whose email was not delivered: nobody pays what they weren't told. */
import type { DbAndNotify } from '../notifications/outbox.server.ts';
import { addAlerts } from '../orders/order-history-store.server.ts';
import { orderNotification } from '../orders/order-mails.server.ts';
import { lockOrder } from '../orders/order-store.server.ts';
import { priceAnnounced } from './price-change-mails.server.ts';

export const REPORT_EVERY_MS = 5 * 60 * 1000;

export async function reportUndelivered({ db, notify }: DbAndNotify): Promise<void> {
  const undelivered = await db
    .selectFrom('outbox')
    .innerJoin('priceChanges', 'priceChanges.orderId', 'outbox.subjectId')
    .select(['priceChanges.id', 'orderId'])
    .where('outbox.state', '=', 'failed')
    .where('channel', '=', 'mail-customer')
    .where('outbox.kind', '=', priceAnnounced.kind)
    .where('priceChanges.kind', '=', 'price')
    .where('priceChanges.state', '=', 'announced')
    .execute();
  for (const { id, orderId } of undelivered) {
    const alert = `The email about the new price (notice ${id}) was not delivered. Tell the customer, or take the notice back.`;
    await db.transaction().execute(async (trx) => {
      await lockOrder(trx, orderId);
      if (await addAlerts(trx, orderId, [alert]))
        await notify(trx, orderNotification('order-alert'), orderId);
    });
  }
}
