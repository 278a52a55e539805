/**
 * A customer changes the users or the backup: what was asked is stored first, then the provider is asked, then the order
 * follows. Whatever is killed in between is finished later, once.
 */
import type { Kysely } from 'kysely';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import type { OrderDeps } from '../orders/follow-payment.server.ts';
import { timeAt } from '../orders/gateway.server.ts';
import { lockOrder, readInvoices } from '../orders/order-billing-store.server.ts';
import {
  findChangeByKey,
  insertChange,
  newestChange,
  type OrderChange,
} from '../orders/order-change-store.server.ts';
import type { Order } from '../orders/order-store.server.ts';
import type {
  ChangePreview,
  NotDone,
  StaffOutcome,
  SubscriptionChange,
} from '../orders/subscription.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { changeRefusal, NEW_PRICE, UNDER_WAY, type Wanted } from './change-refusal.server.ts';
import { finishChange } from './finish-change.server.ts';
import { linesWith, seatsOf } from './plan-lines.ts';

export interface ChangeDeps extends OrderDeps {
  addOnPrices(): AddOnPrices;
}

/** How long a price that was shown can be confirmed. */
const SHOWN_MS = 15 * 60 * 1000;

/** What the change would come to, from now on. */
export async function previewChange(
  deps: ChangeDeps,
  order: Order,
  wanted: Wanted,
): Promise<(ChangePreview & { at: number }) | NotDone> {
  const refusal = await changeRefusal(deps.db, order, wanted);
  if (refusal) return refusal;
  const at = await timeAt(deps.gateway);
  const shown = await deps.gateway.subscriptions.preview(order, changeOf(deps, order, wanted, at));
  return shown === 'away' || 'refused' in shown ? shown : { ...shown, at };
}

/** Makes the change as it was shown at that moment; the same key asks for it once. */
export async function changePlan(
  deps: ChangeDeps,
  order: Order,
  wanted: Wanted & { at: number; key: string },
): Promise<StaffOutcome> {
  const known = await findChangeByKey(deps.db, order.id, wanted.key);
  if (known) return finishChange(deps, known);
  const now = await timeAt(deps.gateway);
  if (wanted.at > now || wanted.at < now - SHOWN_MS) return NEW_PRICE;
  const refusal = await changeRefusal(deps.db, order, wanted);
  if (refusal) return refusal;
  // A new month may have begun since: then its price is another. And no change counts from before the last one was made.
  if (wanted.at < (await paidSince(deps.db, order.id))) return NEW_PRICE;
  const last = await newestChange(deps.db, order.id, 'plan');
  if (last?.madeAt && wanted.at < last.madeAt) return NEW_PRICE;
  const change = changeOf(deps, order, wanted, wanted.at);
  const shown = await deps.gateway.subscriptions.preview(order, change);
  if (shown === 'away' || 'refused' in shown) return shown;
  if (wanted.at >= shown.next.at) return NEW_PRICE;
  const asked = await askChange(deps, order, wanted, change, shown);
  return 'refused' in asked ? asked : finishChange(deps, asked);
}

function changeOf(
  { addOnPrices }: ChangeDeps,
  order: Order,
  { seats }: Wanted,
  at: number,
): SubscriptionChange {
  return { lines: linesWith(order, seats, addOnPrices().cloudBackup), at };
}

/** When the newest month that is paid began, as far as it is known. */
async function paidSince(db: Kysely<Tables>, orderId: number): Promise<number> {
  const paid = (await readInvoices(db, orderId)).filter((bill) => bill.paid);
  return Math.max(0, ...paid.map(({ periodStart }) => periodStart ?? 0));
}

/** Stores what was asked, unless the order is another by now. */
async function askChange(
  { db }: ChangeDeps,
  order: Order,
  wanted: Wanted & { at: number; key: string },
  { lines }: SubscriptionChange,
  { next }: ChangePreview,
): Promise<OrderChange | { refused: string }> {
  return db.transaction().execute(async (trx) => {
    const locked = await lockOrder(trx, order.id);
    const refusal = await changeRefusal(trx, locked, wanted);
    if (refusal) return refusal;
    const { seats, at, key } = wanted;
    const before = { ...seatsOf(locked), lines: JSON.parse(locked.priceLines) };
    const after = { ...seats, lines, next: { at: next.at, total: next.total } };
    const asked = await insertChange(trx, {
      orderId: order.id,
      key,
      what: 'plan',
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      at,
      state: 'asked',
    });
    return asked ?? UNDER_WAY;
  });
}
