/**
 * A notice whose email was not delivered raises no price: the day moves until the notice has been
 * sent again, or staff say that they delivered it by hand.
 */
import { getOrder } from '../billing/order-store.server.ts';
import { moveState, type PriceChange, pricesOf } from '../billing/price-change-store.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { totalOf } from '../platform/money.ts';
import { DAY_MS } from '../platform/time.ts';
import { NOTICE_MS } from './first-charge.ts';
import { renewalFrom } from './price-rows.server.ts';

/** The customer knows of it only now, and is charged it only after the promised time. */
export async function delivered(trx: Db, change: PriceChange): Promise<void> {
  if (change.state !== 'undeliverable') return;
  const order = await getOrder(trx, { id: change.orderId });
  const first = await renewalFrom(trx, order, Date.now() + NOTICE_MS);
  const effectiveAt = Math.max(change.effectiveAt, first);
  await moveState(trx, change, { state: 'announced', effectiveAt });
}

/** Good news needs no notice. A provider that may have the new price gets the old one again. */
export async function notDelivered(trx: Db, change: PriceChange): Promise<void> {
  const { from, to } = pricesOf(change);
  const { state, effectiveAt } = change;
  if (totalOf(to) <= totalOf(from)) return;
  if (state === 'announced') await moveState(trx, change, { state: 'undeliverable' });
  if (state === 'applying' || state === 'applied')
    await moveState(trx, change, { state: 'applying', effectiveAt: effectiveAt + 31 * DAY_MS });
}
