/** Staff press what happens to an order next; the test gateway records it. */

import { disputeOf, type Order, paymentOf } from '../../billing/billed-order.server.ts';
import { type Cause, staffActor } from '../../billing/cause.server.ts';
import { reportOverdue } from '../../billing/follow-invoices.server.ts';
import type { PaymentState } from '../../billing/gateway.server.ts';
import { firstOwed } from '../../billing/invoice-store.server.ts';
import { holdsAt, isOpen } from '../../billing/notice.ts';
import { findNotice, SAME_RENEWAL_MS, updateNotice } from '../../billing/notice-store.server.ts';
import { isBillable, owesByCard } from '../../billing/order-status.ts';
import { findOrder, getOrder } from '../../billing/order-store.server.ts';
import { outdated, refuseOutcome } from '../../billing/outcome.server.ts';
import type { OrderContext } from '../../billing/refresh-order.server.ts';
import { parseLines, repriced } from '../../catalogue/pricing.ts';
import type { Company } from '../../company/company.ts';
import type { InTransaction, Notify } from '../../notifications/notification.server.ts';
import { isAddressProven } from '../../orders/order-access.server.ts';
import { staffOrderJson } from '../../orders/order-json.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';
import { type Happening, refusalOf } from './test-happenings.ts';
import { MAKE_HAPPEN } from './test-payment-api.ts';
import { findPayment } from './test-payments.server.ts';
import {
  beginMonth,
  changeInvoice,
  nextMonthAt,
  payInvoice,
  type Recorded,
  record,
} from './test-records.server.ts';

export function makeHappenCall(context: OrderContext & { company: Company }): Call {
  return call(MAKE_HAPPEN, 'staff', async ({ id, body: { happens, version }, staff }) => {
    const { db, company } = context;
    const order = await findOrder(db, id);
    if (order?.subscription.provider !== 'test')
      return refuse(404, 'There is nothing at this address');
    const notify = notifyProven(context.notify, order);
    const cause: Cause = { actor: staffActor({ staff }), reason: `test-${happens}` };
    const outcome = await record({ db, notify }, order, cause, async (trx, now) => {
      if (version !== undefined && now.version !== version) return outdated(now).refused;
      const state = {
        status: now.status,
        payment: paymentOf(now),
        dispute: disputeOf(now),
        endsAt: now.subscription.cancelAt,
        billable: isBillable(now),
      };
      return refusalOf(happens, state) ?? RECORDS[happens]({ db: trx, notify, company }, now);
    });
    const json = await staffOrderJson(context, await getOrder(db, order));
    return outcome === 'done' ? json : refuseOutcome(outcome, json);
  });
}

/** A typed address may be someone else's: no mail. */
function notifyProven(notify: Notify, { id }: Order): Notify {
  return async (trx, kind, ...rest) => {
    const isProven = await isAddressProven(trx, id);
    return notify(trx, isProven ? kind : { ...kind, except: 'customer' }, ...rest);
  };
}

type Happens = (
  context: InTransaction & { company: Company },
  order: Order,
) => Recorded | Promise<Recorded>;

const RECORDS: Record<Happening, Happens> = {
  renewed: (trx, order) =>
    order.subscription.cancelAt === null ? nextMonth(trx, order, true) : { status: 'canceled' },

  async renewal_failed(trx, order) {
    const [newest] = order.invoices;
    return newest && owesByCard(order)
      ? { ...changeInvoice(order, newest, 'void'), status: 'canceled' }
      : { ...(await nextMonth(trx, order, false)), status: 'past_due' };
  },

  async invoice_paid({ db: trx }, order) {
    const invoice = firstOwed(order) ?? order.invoices[0];
    if (!invoice) return {};
    // What the bank took back is paid in another way.
    return invoice.status === 'paid'
      ? changeInvoice(order, invoice, 'out_of_band')
      : payInvoice(order, invoice, await cardOf(trx, order));
  },

  debit_returned(_trx, order) {
    const invoice = firstOwed(order) ?? order.invoices.find(({ status }) => status === 'paid');
    if (!invoice) return {};
    // The bank takes the money back, as at Stripe.
    const charges = order.charges
      .filter(({ invoiceId }) => invoiceId === invoice.id)
      .map((charge) => ({ ...charge, dispute: 'lost' as const }));
    return { ...changeInvoice(order, invoice, 'returned'), charges };
  },

  async due_day_passed(context, order) {
    const owed = firstOwed(order);
    if (owed) await reportOverdue(context, order, owed.id);
    return {};
  },

  disputed(_trx, { invoices, charges }) {
    const charge = invoices.flatMap(({ id }) => charges.filter((one) => one.invoiceId === id))[0];
    if (!charge) return {};
    return { charges: [{ ...charge, dispute: 'open', disputedCents: charge.amountCents }] };
  },
};

/** At the prices that were announced for it. */
async function nextMonth(
  { db: trx, company }: Parameters<Happens>[0],
  order: Order,
  isPaid: boolean,
): Promise<PaymentState> {
  const notice = await findNotice(trx, order.id);
  const begins = nextMonthAt(order, company);
  const due = notice && isOpen(notice) && holdsAt(notice, begins + SAME_RENEWAL_MS) && notice;
  // As where prices are set ahead: what was announced is no change of the provider's.
  if (due) await updateNotice(trx, due, { state: 'applying' });
  const lines = repriced(parseLines(order.subscription.priceLines), due ? due.to : []);
  const last4 = isPaid ? await cardOf(trx, order) : null;
  return { lines, ...beginMonth(order, company, { lines, last4 }) };
}

/** The last digits of the card on file; null by invoice. */
async function cardOf(trx: Db, { id: orderId }: Order): Promise<string | null> {
  return (await findPayment(trx, { orderId }))?.last4 ?? null;
}
