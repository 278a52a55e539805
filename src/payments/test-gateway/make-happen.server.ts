/** Staff press what happens to an order next; the test gateway records it, and the order follows. */

import { changedMeanwhile, refuseOutcome } from '../../billing/gateway.server.ts';
import { byStaff, type Cause } from '../../billing/order-event.server.ts';
import { priceLinesOf } from '../../catalogue/pricing.ts';
import type { Company } from '../../company/company.ts';
import type { Notify } from '../../notifications/notification.server.ts';
import type { DbAndNotify } from '../../notifications/outbox.server.ts';
import type { OrderContext } from '../../orders/follow-payment.server.ts';
import { reportOverdue } from '../../orders/invoice-orders.server.ts';
import { isAddressProven } from '../../orders/order-access.server.ts';
import { firstOwed } from '../../orders/order-billing.server.ts';
import { staffOrderJson } from '../../orders/order-calls.server.ts';
import { findOrder, getOrder, type Order } from '../../orders/order-store.server.ts';
import {
  findPriceChange,
  isDue,
  pricesOf,
  repriced,
} from '../../orders/price-change-store.server.ts';
import type { Db, Row } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call, readId } from '../../platform/http/call.server.ts';
import { type Happening, refusalOf } from './test-happenings.ts';
import { MAKE_HAPPEN } from './test-payment-api.ts';
import { findPayment } from './test-payments.server.ts';
import {
  chargeOf,
  invoiceOf,
  isActive,
  NOT_RUNNING,
  type Recorded,
  record,
  settled,
} from './test-records.server.ts';

export function makeHappenCall(context: OrderContext & { company: Company }): Call {
  return call(MAKE_HAPPEN, {
    access: 'staff',
    handle: async ({ params, body: { happens, version }, staff }) => {
      const { db } = context;
      const order = await findOrder(db, readId(params.id) ?? 0);
      if (order?.subscription.provider !== 'test')
        return refuse(404, 'There is nothing at this address');
      const notify = notifyProven(context.notify, order);
      const cause: Cause = { actor: byStaff(staff), reason: `test-${happens}` };
      const outcome = await record({ db, notify }, order, cause, async (trx, now, invoices) => {
        if (version !== undefined && now.version !== version) return changedMeanwhile(now);
        const refusal =
          refusalOf(happens, { ...now, endsAt: now.subscription.cancelAt }) ??
          (isActive(now, invoices) ? null : NOT_RUNNING);
        return refusal ?? RECORDS[happens]({ db: trx, notify }, now, invoices);
      });
      const json = await staffOrderJson(context, await getOrder(db, order));
      return outcome === 'done' ? json : refuseOutcome(outcome, json);
    },
  });
}

/**
 * What a stranger typed may be the address of someone else, who is mailed nothing. By invoice, staff
 * allowed the quote.
 */
function notifyProven(notify: Notify, { id, subscription }: Order): Notify {
  return async (trx, kind, ...rest) => {
    if (subscription.collection === 'invoice' || (await isAddressProven(trx, id)))
      return notify(trx, kind, ...rest);
    const channels: typeof kind.channels = async (...asked) =>
      (await kind.channels(...asked)).filter((channel) => channel !== 'mail-customer');
    return notify(trx, { ...kind, channels }, ...rest);
  };
}

const RECORDS: Record<
  Happening,
  (trx: DbAndNotify, order: Order, invoices: Row<'orderInvoices'>[]) => Recorded | Promise<Recorded>
> = {
  renewed: ({ db: trx }, order, invoices) =>
    order.subscription.cancelAt === null
      ? beginMonth(trx, order, invoices, true)
      : { status: 'canceled' },

  renewal_failed({ db: trx }, order, invoices) {
    const [newest] = invoices;
    return newest && order.status === 'past_due'
      ? { status: 'canceled', invoices: [settled(invoices, newest, 'void')] }
      : beginMonth(trx, order, invoices, false);
  },

  async invoice_paid({ db: trx }, order, invoices) {
    const invoice = firstOwed(invoices) ?? invoices[0];
    const last4 = await cardOf(trx, order);
    return invoice
      ? { status: 'active', invoices: [settled(invoices, invoice, 'paid', last4)] }
      : {};
  },

  async debit_returned({ db: trx }, _order, invoices) {
    const invoice = firstOwed(invoices) ?? invoices.find(({ paid }) => paid);
    if (!invoice) return {};
    const charge = { ...(await chargeOf(trx, invoice)), dispute: 'lost' as const };
    // The bank takes the money back, as at Stripe.
    const charges = invoice.paid ? [charge] : [];
    return { invoices: [settled(invoices, invoice, 'returned')], charges };
  },

  async due_day_passed(context, order, invoices) {
    const owed = firstOwed(invoices);
    if (owed) await reportOverdue(context, order, owed.id);
    return {};
  },

  async disputed({ db: trx }, _order, invoices) {
    const invoice = invoices.find(({ paid }) => paid);
    return invoice ? { charges: [{ ...(await chargeOf(trx, invoice)), dispute: 'open' }] } : {};
  },
};

/** At the prices that were announced for it. */
async function beginMonth(
  trx: Db,
  order: Order,
  earlier: Row<'orderInvoices'>[],
  isPaid: boolean,
): Promise<Recorded> {
  const change = await findPriceChange(trx, order.id);
  const isNewPrice = change && isDue(change, earlier[0]?.periodEnd ?? 0);
  const lines = repriced(priceLinesOf(order.subscription), isNewPrice ? pricesOf(change).to : []);
  const last4 = isPaid ? await cardOf(trx, order) : null;
  const status = isPaid ? 'active' : 'past_due';
  return { status, lines, invoices: [invoiceOf(order, { earlier, lines, last4 })] };
}

/** The last digits of the card on file; null by invoice. */
async function cardOf(trx: Db, { id: orderId }: Order): Promise<string | null> {
  return (await findPayment(trx, { orderId }))?.last4 ?? null;
}
