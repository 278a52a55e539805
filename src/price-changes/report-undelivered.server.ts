/** Staff are told once of each notice whose email was not delivered: nobody pays what they weren't told. */
import type { DbAndNotify } from '../notifications/outbox.server.ts';
import { alertStaff } from '../orders/order-mails.server.ts';
import { priceAnnounced } from './price-change-mails.server.ts';

export const REPORT_EVERY_MS = 5 * 60 * 1000;

export async function reportUndelivered(context: DbAndNotify): Promise<void> {
  const undelivered = await context.db
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
    await alertStaff(context, orderId, { kind: 'notice-undelivered', notice: id });
  }
}
