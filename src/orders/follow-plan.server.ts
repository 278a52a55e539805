/** An order follows what its provider charges each month: the number of users, and the backup. */
import type { Kysely } from 'kysely';
import { priceLinesOf } from '../catalogue/pricing.ts';
import type { Notify } from '../notifications/outbox.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import type { PaymentState } from './gateway.server.ts';
import { CHANGED, firstDue, isRunning, salesTax } from './order.ts';
import { addNote } from './order-billing-store.server.ts';
import { insertChange, type Seats, sameSeats, seatsOf } from './order-change-store.server.ts';
import { orderNotification } from './order-mails.server.ts';
import { type Order, orderNow } from './order-store.server.ts';

/** Records a change and tells of it, once; the order must be locked. Gives the order as it stands then. */
export async function followPlan(
  trx: Kysely<Tables>,
  notify: Notify,
  order: Order,
  { lines, next }: NonNullable<PaymentState['plan']>,
): Promise<Order> {
  const [before, after] = [seatsOf(priceLinesOf(order)), seatsOf(lines)];
  if (!isRunning(order.status) || sameSeats(before, after)) return order;
  const amountCents = lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = Math.round((salesTax(order) * amountCents) / Math.max(1, order.amountCents));
  await trx
    .updateTable('orders')
    .set({
      ms365Users: after.users,
      includeCloudBackup: after.backup ? 1 : 0,
      priceLines: JSON.stringify(lines),
      amountCents,
      dueCents: amountCents + tax,
      firstDueCents: firstDue(order),
    })
    .where('id', '=', order.id)
    .execute();
  await insertChange(trx, {
    orderId: order.id,
    key: null,
    what: 'plan',
    before: JSON.stringify(before),
    after: JSON.stringify({ ...after, next }),
    at: Date.now(),
  });
  // Without a bill that was confirmed, our team has changed it at the provider.
  const by = next ? ' by the customer' : '';
  await addNote(trx, order.id, `${CHANGED}${by}: ${inWords(before)} → ${inWords(after)}`);
  await notify(trx, orderNotification('order-changed'), order.id);
  return orderNow(trx, order);
}

function inWords({ users, backup }: Seats): string {
  return `${users} ${users === 1 ? 'user' : 'users'}, ${backup ? 'with' : 'without'} backup`;
}
