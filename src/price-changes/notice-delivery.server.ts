/** A notice that was not delivered raises no price: its day moves until it is. */
import { getOrder } from '../billing/order-store.server.ts';
import { isWithdrawn } from '../billing/price-change.ts';
import { isRaised, moveState, type PriceChange } from '../billing/price-change-store.server.ts';
import type { SubscribedOrder } from '../billing/subscription-store.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import { NOTICE_MS } from './first-charge.ts';
import { renewalFrom } from './price-rows.server.ts';

/** How late an email may be without moving the day. */
const LATE_MS = HOUR_MS;

/** The first charge at the new price if the customer reads of it now, after the promised time. */
export async function firstChargeIfRead(
  db: Db,
  order: SubscribedOrder,
  change: PriceChange,
): Promise<number> {
  const { deliveredAt, effectiveAt } = change;
  const now = Date.now();
  const isInTime = effectiveAt >= now + NOTICE_MS - LATE_MS;
  if (deliveredAt !== null || isInTime || !isRaised(change)) return effectiveAt;
  return Math.max(effectiveAt, await renewalFrom(db, order, now + NOTICE_MS));
}

/** The order must be locked. */
export async function delivered(trx: Db, change: PriceChange): Promise<void> {
  if (change.deliveredAt !== null || isWithdrawn(change)) return;
  const order = await getOrder(trx, { id: change.orderId });
  const effectiveAt = await firstChargeIfRead(trx, order, change);
  const state = change.state === 'undeliverable' ? 'announced' : change.state;
  await moveState(trx, change, { state, effectiveAt, deliveredAt: Date.now() });
}

/** The order must be locked. */
export async function notDelivered(trx: Db, change: PriceChange): Promise<void> {
  if (change.deliveredAt === null && change.state === 'announced' && isRaised(change))
    await moveState(trx, change, { state: 'undeliverable' });
}
