/** Orders that were paid before the test gateway knew months, or by a colleague's word, get a subscription too. */
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import { cents } from '../../platform/money.ts';
import { billOf, PAID } from './test-bill.server.ts';
import { testCard } from './test-cards.ts';
import { testNow, wholeSeconds } from './test-clock.server.ts';
import { insertSubscription, periodOf } from './test-subscription-store.server.ts';

/** Nothing is billed for months that have passed. */
export async function adoptOrders({ db, notify }: FollowDeps): Promise<void> {
  const orders = await db
    .selectFrom('orders')
    .leftJoin('testSubscriptions', 'testSubscriptions.orderId', 'orders.id')
    .selectAll('orders')
    .where('orders.status', '=', 'paid')
    .where('provider', '=', 'test')
    .where('testSubscriptions.orderId', 'is', null)
    .execute();
  for (const order of orders) {
    await db.transaction().execute(async (trx) => {
      const now = await testNow(trx);
      const startedAt = Math.min(wholeSeconds(order.createdAt), now);
      let months = 0;
      while (periodOf(startedAt, months).periodEnd <= now) months += 1;
      const card = testCard('succeeds', undefined);
      const begun = await insertSubscription(trx, { order, startedAt, months, card });
      if (!begun) return;
      const bill = billOf(begun, startedAt, cents(order.amountCents), true);
      const first = { ...bill, ...periodOf(startedAt, 0) };
      const why = 'test subscription begun';
      await followPayment({ db: trx, notify }, order.id, { ...PAID, invoices: [first] }, why);
    });
  }
}
