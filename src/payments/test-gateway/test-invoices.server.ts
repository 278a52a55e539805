/** Orders by invoice at the test gateway: staff press what the customer's bank would do. */

import { priceLinesOf } from '../../catalogue/pricing.ts';
import type { DbAndNotify } from '../../notifications/outbox.server.ts';
import { followPayment } from '../../orders/follow-payment.server.ts';
import {
  changedMeanwhile,
  NOTHING_TRIED,
  type Outcome,
  type PaymentState,
  type ProviderPayment,
  refuseOutcome,
} from '../../orders/gateway.server.ts';
import { firstOwed, readInvoices } from '../../orders/order-billing.server.ts';
import { bySite } from '../../orders/order-event.server.ts';
import { findOrder, lockOrder, type Order } from '../../orders/order-store.server.ts';
import type { Db, Row } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call, readId } from '../../platform/http/call.server.ts';
import { cents } from '../../platform/money.ts';
import { testNow } from './test-billing.server.ts';
import { SETTLE_TEST_INVOICE } from './test-payment-api.ts';
import { insertSubscription, updateSubscription } from './test-subscription.server.ts';

/** Issues the first invoice, once. Its id stands for a payment, so that the order counts as started. */
export function issueTestInvoice(
  { db, notify }: DbAndNotify,
  order: Order,
): Promise<ProviderPayment> {
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, order.id);
    const invoices = await insertSubscription(trx, order, await testNow(trx), '');
    await followPayment(
      { db: trx, notify },
      order.id,
      { ...NOTHING_TRIED, invoices },
      bySite('test-invoice-sent'),
    );
    return {
      paymentId: `test_invoice_${order.id}_1`,
      clientSecret: null,
      customerId: null,
      subscriptionId: null,
      due: order.amountCents,
    };
  });
}

/** Ends an order of which nothing was paid; 'succeeded' when something was. */
export async function endUnpaid(trx: Db, orderId: number): Promise<'canceled' | 'succeeded'> {
  await lockOrder(trx, orderId);
  const invoices = await readInvoices(trx, orderId);
  if (invoices.some(({ paid }) => paid)) return 'succeeded';
  await updateSubscription(trx, orderId, { status: 'ended' });
  return 'canceled';
}

type Settlement = 'paid' | 'outside' | 'returned';

/**
 * `only`: of the invoice owed first, unless another one is by now. A returned debit had paid the
 * newest invoice already, unless one is owed.
 */
export function settleTestInvoice(
  { db, notify }: DbAndNotify,
  { id }: Pick<Order, 'id'>,
  how: Settlement,
  only?: string,
): Promise<Outcome> {
  return db.transaction().execute(async (trx): Promise<Outcome> => {
    await lockOrder(trx, id);
    const invoices = await readInvoices(trx, id);
    const owed = firstOwed(invoices);
    const invoice = owed ?? (how === 'returned' ? invoices.find(({ paid }) => paid) : undefined);
    if (!invoice?.dueAt || (only ?? invoice.id) !== invoice.id)
      return { refused: 'No invoice of this order is owed' };
    const state: PaymentState = {
      ...NOTHING_TRIED,
      refused: how === 'returned',
      invoices: [settled(invoice, how)],
      // The bank takes the money back, as at Stripe.
      ...(how === 'returned' && invoice.paid && { charges: [lostCharge(invoice)] }),
    };
    await followPayment({ db: trx, notify }, id, state, bySite(`test-invoice-${how}`));
    return 'done';
  });
}

function settled(invoice: Row<'orderInvoices'>, how: Settlement) {
  const { id, createdAt, amountCents: amount, dueAt, lines } = invoice;
  return {
    id,
    createdAt,
    amount,
    paid: how !== 'returned' || invoice.paid === 1,
    // The first month's receipt is that of the order.
    renewal: !id.endsWith('_1'),
    dueAt: dueAt ?? undefined,
    attempt: how === 'returned' ? ('failed' as const) : null,
    outside: how === 'outside',
    lines: priceLinesOf({ priceLines: lines }),
    ...(how === 'paid' && { fee: cents(0), chargeId: `charge_${id}` }),
  };
}

function lostCharge({ id, amountCents: amount }: Row<'orderInvoices'>) {
  return { id: `charge_${id}`, amount, refunded: cents(0), dispute: 'lost' as const };
}

/** `isDemo`: whether the demo credentials still work. Otherwise the call answers 404. */
export function testInvoiceCall(context: DbAndNotify, isDemo: () => Promise<boolean>): Call {
  return call(SETTLE_TEST_INVOICE, {
    access: 'staff',
    handle: async ({ params, body: { how, version } }) => {
      const order = await findOrder(context.db, readId(params.id) ?? 0);
      if (order?.provider !== 'test' || !(await isDemo()))
        return refuse(404, 'There is nothing at this address');
      if (order.version !== version) return refuse(409, changedMeanwhile(order));
      const outcome = await settleTestInvoice(context, order, how);
      return outcome === 'done' ? { done: true } : refuseOutcome(outcome);
    },
  });
}
