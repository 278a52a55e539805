/** Paid orders at the test gateway, and the means to make time pass for them. */
import { followPayment } from '../../src/orders/follow-payment.server.ts';
import { findOrder, type Order } from '../../src/orders/order-store.server.ts';
import { last4Of, type TestToken } from '../../src/payments/test-gateway/test-cards.ts';
import { testGateway } from '../../src/payments/test-gateway/test-gateway.server.ts';
import {
  insertSubscription,
  PAID,
  updateSubscription,
} from '../../src/payments/test-gateway/test-subscription.server.ts';
import { totalOf } from '../../src/platform/money.ts';
import { moveClockTo } from './own-page.ts';
import { line, savedOrder, TEST_CAUSE } from './saved-order.ts';
import type { TestApp } from './test-app.ts';

/** 450 dollars and ten users at 12.50. */
export const LINES = [line('plan', 45_000, 1), line('microsoft365', 1_250, 10)];

export function testSubscriptions(app: TestApp) {
  const { db } = app.database;
  const deps = { db, notify: async () => undefined };
  const gateway = testGateway(deps);
  return {
    subscriptions: gateway.subscriptions,
    gateway,
    /** `startedAt` must lie in the future, so that the site itself does not renew the subscription. */
    async begin(startedAt: number, token: TestToken = 'succeeds', lines = LINES): Promise<Order> {
      const order = await savedOrder(db, {
        provider: 'test',
        status: 'pending',
        priceLines: JSON.stringify(lines),
        amountCents: totalOf(lines),
      });
      const invoices = await insertSubscription(db, order, startedAt, last4Of(token));
      await db
        .transaction()
        .execute((trx) =>
          followPayment({ ...deps, db: trx }, order.id, { ...PAID, invoices }, TEST_CAUSE),
        );
      return { ...order, status: 'paid' };
    },
    /** Makes everything due by then happen. */
    pass: (until: number) => moveClockTo(app, new Date(until).toISOString()),
    /** The invoices after the first, oldest first. */
    renewals: (orderId: number) =>
      db
        .selectFrom('orderInvoices')
        .selectAll()
        .where('orderId', '=', orderId)
        .where('id', '!=', `test_invoice_${orderId}_1`)
        .orderBy('createdAt')
        .execute(),
    status: async (orderId: number) => (await findOrder(db, orderId))?.status,
    forget: (orderId: number) => updateSubscription(db, orderId, { status: 'ended' }),
  };
}
