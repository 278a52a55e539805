/** A customer lets a plan end with its paid month, takes that back, or replaces the card. */
import { createHash } from 'node:crypto';
import { followNow, type OrderDeps } from '../orders/follow-payment.server.ts';
import type { NotDone, StaffOutcome } from '../orders/gateway.server.ts';
import { isRunning } from '../orders/order.ts';
import { addNote } from '../orders/order-billing-store.server.ts';
import { insertChange } from '../orders/order-change-store.server.ts';
import { orderNotification } from '../orders/order-mails.server.ts';
import { type Order, orderNow } from '../orders/order-store.server.ts';
import { endOrder } from '../orders/staff-orders.server.ts';

const NOTHING_RUNS = { refused: 'This plan isn’t running any more.' };
const NOT_HERE = { refused: 'This can’t be done here. Please call us.' };
const THE_CUSTOMER = 'the customer';

/** A plan whose last month has not been paid ends at once: that month cannot be used to its end. */
export async function cancelAtPeriodEnd(deps: OrderDeps, order: Order): Promise<StaffOutcome> {
  const refusal = refusalOf(deps, order);
  if (refusal) return refusal;
  return order.endsAt === null ? endOrder(deps, order, 'period-end', THE_CUSTOMER) : 'done';
}

/** Takes back that the plan ends. */
export async function resume(deps: OrderDeps, order: Order): Promise<StaffOutcome> {
  const refusal = refusalOf(deps, order);
  if (refusal) return refusal;
  if (order.endsAt === null) return 'done';
  const outcome = await deps.gateway.subscriptions.resume(order);
  if (outcome !== 'done') return outcome;
  await addNote(deps.db, order.id, 'The customer keeps the plan');
  await follow(deps, order, { endsAt: null });
  return 'done';
}

/** The secret lets the browser enter a card. */
export async function startCard(
  deps: OrderDeps,
  order: Order,
): Promise<{ clientSecret: string } | NotDone> {
  return refusalOf(deps, order) ?? deps.gateway.subscriptions.startCard(order);
}

/** The card that was entered with this secret is charged from now on; each has one note and one notification. */
export async function replaceCard(
  deps: OrderDeps,
  order: Order,
  clientSecret: string,
): Promise<StaffOutcome> {
  const { db, gateway, notify } = deps;
  const refusal = refusalOf(deps, order);
  if (refusal) return refusal;
  const before = await cardInWords(deps, order);
  const outcome = await gateway.subscriptions.finishCard(order, clientSecret);
  if (outcome !== 'done') return outcome;
  const after = await cardInWords(deps, order);
  await db.transaction().execute(async (trx) => {
    const isNew = await insertChange(trx, {
      orderId: order.id,
      key: createHash('sha256').update(clientSecret).digest('hex'),
      what: 'card',
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      at: Date.now(),
    });
    if (!isNew) return;
    await addNote(trx, order.id, `The customer replaced the card: ${after}`);
    await notify(trx, orderNotification('order-card-replaced'), order.id);
  });
  await follow(deps, order, {});
  return 'done';
}

function refusalOf({ gateway }: OrderDeps, order: Order): { refused: string } | undefined {
  if (!isRunning(order.status)) return NOTHING_RUNS;
  return order.provider === gateway.provider ? undefined : NOT_HERE;
}

async function cardInWords({ gateway }: OrderDeps, order: Order): Promise<string> {
  const standing = await gateway.subscriptions.getSubscription(order);
  const card = standing !== 'unavailable' && 'card' in standing ? standing.card : null;
  return card ? `${card.brand} ending in ${card.last4}` : 'a new card';
}

async function follow(deps: OrderDeps, known: Order, has: { endsAt?: null }): Promise<void> {
  await followNow(deps, await orderNow(deps.db, known), `changed by ${THE_CUSTOMER}`, has);
}
