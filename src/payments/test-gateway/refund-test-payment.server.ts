/** Gives back part of the newest month that has been paid at the test gateway, or all that is left of it. */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { Gateway, ReversedCharge } from '../../orders/gateway.server.ts';
import { lockOrder } from '../../orders/order-billing-store.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { PAID } from './test-bill.server.ts';

type Order = Row<'orders'>;

export function refundTestPayment(
  { db, notify }: FollowDeps,
  known: Order,
  amount: Cents | undefined,
): ReturnType<Gateway['refund']> {
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, known.id);
    const { id, paid, refunded } = await newestCharge(trx, order);
    const left = paid - refunded;
    const wanted = amount ?? left;
    if (wanted > left) return { refused: 'That’s more than is left to refund' };
    const charge: ReversedCharge = { id, amount: cents(paid), refunded: cents(refunded + wanted) };
    await followPayment(
      { db: trx, notify },
      order.id,
      { ...PAID, charges: [charge] },
      'test refund',
    );
    return charge;
  });
}

/** The first charge bears the order's number alone. */
async function newestCharge(db: Kysely<Tables>, order: Order) {
  const bill = await db
    .selectFrom('orderInvoices')
    .select(['id', 'amountCents'])
    .where('orderId', '=', order.id)
    .where('paid', '=', 1)
    .where('amountCents', '>', 0)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = `test_charge_${order.id}`;
  if (!bill) return { id: first, paid: order.amountCents, refunded: order.refundedCents };
  const bills = Number(bill.id.split('_').at(-1));
  const id = bills === 1 ? first : `${first}_${bills}`;
  const known = await db
    .selectFrom('orderCharges')
    .select('refundedCents')
    .where('id', '=', id)
    .executeTakeFirst();
  return { id, paid: bill.amountCents, refunded: known?.refundedCents ?? 0 };
}
