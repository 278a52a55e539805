/** The day of a notice moves until it is delivered: before that, it raises no price. */
import { getOrder } from '../billing/order-store.server.ts';
import { isRaised, moveState, type PriceChange } from '../billing/price-change-store.server.ts';
import type { SubscribedOrder } from '../billing/subscription-store.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import { NOTICE_MS } from './first-charge.ts';
import { renewalFrom } from './price-rows.server.ts';

/** How late an email may be without moving the day. */
const LATE_MS = HOUR_MS;

/** The day of the notice if the customer reads it now: after the promised time. */
export async function dayIfRead(
  db: Db,
  order: SubscribedOrder,
  change: PriceChange,
): Promise<number> {
  const { kind, deliveredAt, effectiveAt } = change;
  const now = Date.now();
  const isInTime = effectiveAt >= now + NOTICE_MS - LATE_MS;
  if (deliveredAt !== null || isInTime) return effectiveAt;
  if (kind === 'terms') return now + NOTICE_MS;
  if (!isRaised(change)) return effectiveAt;
  return Math.max(effectiveAt, await renewalFrom(db, order, now + NOTICE_MS));
}

/** Of a notice that is neither delivered nor withdrawn; the order must be locked. */
export async function delivered(trx: Db, change: PriceChange): Promise<void> {
  const order = await getOrder(trx, { id: change.orderId });
  const effectiveAt = await dayIfRead(trx, order, change);
  const state = change.state === 'undeliverable' ? 'announced' : change.state;
  await moveState(trx, change, { state, effectiveAt, deliveredAt: Date.now() });
}

/** The same. */
export async function notDelivered(trx: Db, change: PriceChange): Promise<void> {
  if (change.state === 'announced' && (change.kind === 'terms' || isRaised(change)))
    await moveState(trx, change, { state: 'undeliverable' });
}
