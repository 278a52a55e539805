/** Staff press what happens to an order next; the test gateway records it, and the order follows. */
import type { Company } from '../../company/company.ts';
import type { Notify } from '../../notifications/notification.server.ts';
import { followPayment, type OrderContext } from '../../orders/follow-payment.server.ts';
import {
  changedMeanwhile,
  type Invoice,
  type Outcome,
  type PaymentState,
  refuseOutcome,
} from '../../orders/gateway.server.ts';
import { reportOverdue } from '../../orders/invoice-orders.server.ts';
import { isAddressProven } from '../../orders/order-access.server.ts';
import { firstOwed, readInvoices } from '../../orders/order-billing.server.ts';
import { staffOrderJson } from '../../orders/order-calls.server.ts';
import { type Actor, byStaff, type Cause } from '../../orders/order-event.server.ts';
import { findOrder, getOrder, lockOrder, type Order } from '../../orders/order-store.server.ts';
import {
  findPriceChange,
  isDue,
  pricesOf,
  repriced,
} from '../../orders/price-change-store.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call, readId } from '../../platform/http/call.server.ts';
import { type Happening, refusalOf } from './test-happenings.ts';
import { MAKE_HAPPEN } from './test-payment-api.ts';
import {
  billingPeriod,
  chargeOf,
  invoiceOf,
  linesOf,
  lockSubscription,
  NOT_RUNNING,
  type Subscription,
  settled,
  stateOf,
  updateSubscription,
} from './test-subscription.server.ts';

interface Context extends OrderContext {
  company: Company;
}

export function makeHappenCall(context: Context): Call {
  return call(MAKE_HAPPEN, {
    access: 'staff',
    handle: async ({ params, body: { happens, version }, staff }) => {
      const { db } = context;
      const found = await findOrder(db, readId(params.id) ?? 0);
      if (found?.provider !== 'test') return refuse(404, 'There is nothing at this address');
      const decidedOn = { id: found.id, version: version ?? found.version };
      const outcome = await makeHappen(context, decidedOn, happens, byStaff(staff));
      const now = await staffOrderJson(context, await getOrder(db, found));
      return outcome === 'done' ? now : refuseOutcome(outcome, now);
    },
  });
}

function makeHappen(
  { db, ...context }: Context,
  decidedOn: Pick<Order, 'id' | 'version'>,
  happens: Happening,
  actor: Actor,
): Promise<Outcome> {
  return db.transaction().execute(async (trx): Promise<Outcome> => {
    const order = await lockOrder(trx, decidedOn.id);
    if (order.version !== decidedOn.version) return { refused: changedMeanwhile(order) };
    const subscription = await lockSubscription(trx, order.id);
    if (!subscription || subscription.status === 'ended') return NOT_RUNNING;
    const refused = refusalOf(happens, order);
    if (refused) return { refused };
    const notify = (await mayMail(trx, order)) ? context.notify : toStaff(context.notify);
    if (happens === 'due_day_passed') {
      const invoice = firstOwed(await readInvoices(trx, order.id));
      if (invoice) await reportOverdue({ ...context, db: trx, notify }, order, invoice.id);
      return 'done';
    }
    const state = await RECORDS[happens](trx, subscription, order);
    const cause: Cause = { actor, reason: `test-${happens}` };
    await followPayment({ db: trx, notify }, order.id, { ...stateOf(order), ...state }, cause);
    return 'done';
  });
}

/** What a stranger typed may be the address of someone else. By invoice, staff allowed the quote. */
async function mayMail(trx: Db, { id, dueDays }: Order): Promise<boolean> {
  return dueDays !== null || isAddressProven(trx, id);
}

function toStaff(notify: Notify): Notify {
  return (trx, kind, ...rest) => {
    const channels: typeof kind.channels = async (...asked) =>
      (await kind.channels(...asked)).filter((channel) => channel !== 'mail-customer');
    return notify(trx, { ...kind, channels }, ...rest);
  };
}

type Recorded = Promise<Partial<PaymentState>>;

const RECORDS: Record<
  Exclude<Happening, 'due_day_passed'>,
  (trx: Db, subscription: Subscription, order: Order) => Recorded
> = {
  async renewed(trx, subscription, order) {
    if (subscription.ending) return end(trx, order, []);
    return beginMonth(trx, subscription, order, true);
  },

  async renewal_failed(trx, subscription, order) {
    if (subscription.status === 'active') return beginMonth(trx, subscription, order, false);
    return end(trx, order, [{ ...invoiceOf(subscription, false, order), waived: true }]);
  },

  async invoice_paid(trx, subscription, order) {
    const owed = firstOwed(await readInvoices(trx, order.id));
    if (owed) return { invoices: [settled(owed, 'paid')] };
    await updateSubscription(trx, order.id, { status: 'active' });
    return { invoices: [invoiceOf(subscription, true, order)] };
  },

  async debit_returned(trx, _subscription, order) {
    const invoices = await readInvoices(trx, order.id);
    const invoice = firstOwed(invoices) ?? invoices.find(({ paid }) => paid);
    if (!invoice) return {};
    const lost = { ...(await chargeOf(trx, invoice)), dispute: 'lost' as const };
    return {
      refused: true,
      invoices: [settled(invoice, 'returned')],
      // The bank takes the money back, as at Stripe.
      ...(invoice.paid && { charges: [lost] }),
    };
  },

  async disputed(trx, _subscription, order) {
    const invoice = (await readInvoices(trx, order.id)).find(({ paid }) => paid);
    return invoice ? { charges: [{ ...(await chargeOf(trx, invoice)), dispute: 'open' }] } : {};
  },
};

/** At the prices that were announced for it. */
async function beginMonth(
  trx: Db,
  subscription: Subscription,
  order: Order,
  isPaid: boolean,
): Recorded {
  const period = billingPeriod(subscription.startedAt, subscription.months + 1);
  const change = await findPriceChange(trx, order.id);
  const isNewPrice = change && isDue(change, period.periodStart);
  const plan = repriced(linesOf(subscription), isNewPrice ? pricesOf(change).to : []);
  const status = isPaid ? ('active' as const) : ('past_due' as const);
  const next = { ...period, lines: JSON.stringify(plan), status };
  await updateSubscription(trx, order.id, next);
  const paysAtOnce = isPaid && order.dueDays === null;
  return { invoices: [invoiceOf({ ...subscription, ...next }, paysAtOnce, order)], plan };
}

async function end(trx: Db, { id }: Order, invoices: Invoice[]): Recorded {
  await updateSubscription(trx, id, { status: 'ended' });
  return { ended: true, invoices };
}
