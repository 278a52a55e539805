/** Finishes a change that was asked: the provider makes it, then the order follows, once. */
import type { Kysely } from 'kysely';
import type { Seats } from '../orders/account-shapes.ts';
import type { OrderDeps } from '../orders/follow-payment.server.ts';
import { timeAt } from '../orders/gateway.server.ts';
import { orderChanged } from '../orders/notifications/order-changed.server.ts';
import { CHANGED, firstDue, salesTax } from '../orders/order.ts';
import { addNote, lockOrder, noteOnce } from '../orders/order-billing-store.server.ts';
import {
  changesUnderWay,
  type OrderChange,
  planSide,
  settleChange,
} from '../orders/order-change-store.server.ts';
import { orderNow } from '../orders/order-store.server.ts';
import type { StaffOutcome } from '../orders/subscription.server.ts';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { logFault } from '../platform/log.server.ts';
import { cents } from '../platform/money.ts';
import { NEW_PRICE } from './change-refusal.server.ts';

const NOT_MADE =
  'A change by the customer could not be made yet, and is tried again. Please look at it.';

/** Finishes what was asked of a provider that did not answer, or by a process that was killed. */
export async function finishChanges(deps: OrderDeps, isStopped: () => boolean): Promise<void> {
  for (const change of await changesUnderWay(deps.db)) {
    if (isStopped()) return;
    try {
      await finishChange(deps, change);
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      // One that cannot be made must not keep the others waiting.
      logFault('change-not-finished', error, { orderId: change.orderId });
      await noteOnce(deps.db, change.orderId, NOT_MADE);
    }
  }
}

export async function finishChange(deps: OrderDeps, change: OrderChange): Promise<StaffOutcome> {
  const { db, gateway } = deps;
  if (change.state === 'done') return 'done';
  if (change.state === 'refused') return NEW_PRICE;
  const { lines } = planSide(change.after);
  const order = await orderNow(db, { id: change.orderId });
  const key = `change-${order.id}-${change.key}`;
  const outcome = await gateway.subscriptions.change(order, { lines, at: change.at }, key);
  if (outcome === 'away') return outcome;
  const madeAt = await timeAt(gateway);
  await db.transaction().execute((trx) => settle(trx, deps, change, outcome, madeAt));
  return outcome;
}

/** The order becomes what the provider has made of it. */
async function settle(
  trx: Kysely<Tables>,
  { notify }: OrderDeps,
  change: OrderChange,
  outcome: 'done' | { refused: string },
  madeAt: number,
): Promise<void> {
  const order = await lockOrder(trx, change.orderId);
  const isDone = outcome === 'done';
  if (!(await settleChange(trx, change.id, isDone ? 'done' : 'refused', madeAt))) return;
  const [before, after] = [planSide(change.before), planSide(change.after)];
  const words = `${inWords(before)} → ${inWords(after)}`;
  if (!isDone) {
    await addNote(
      trx,
      order.id,
      `A change by the customer was refused: ${words}: ${outcome.refused}`,
    );
    return;
  }
  const amountCents = after.lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = Math.round((salesTax(order) * amountCents) / Math.max(1, order.amountCents));
  await trx
    .updateTable('orders')
    .set({
      ms365Users: after.users,
      includeCloudBackup: after.backup ? 1 : 0,
      priceLines: JSON.stringify(after.lines),
      amountCents: cents(amountCents),
      dueCents: cents(amountCents + tax),
      firstDueCents: firstDue(order),
    })
    .where('id', '=', order.id)
    .execute();
  await addNote(trx, order.id, `${CHANGED}: ${words}`);
  await notify(trx, orderChanged, order.id);
}

function inWords({ users, backup }: Seats): string {
  return `${users} ${users === 1 ? 'user' : 'users'}, ${backup ? 'with' : 'without'} backup`;
}
