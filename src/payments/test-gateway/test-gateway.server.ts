/**
 * The built-in payment provider: takes no real cards, and keeps its payments and subscriptions in
 * the database.
 */

import type { DbAndNotify } from '../../notifications/outbox.server.ts';
import { followPayment } from '../../orders/follow-payment.server.ts';
import {
  changedMeanwhile,
  type Gateway,
  NOTHING_TRIED,
  type Outcome,
  type PaymentState,
  type ProviderPayment,
  type Subscriptions,
} from '../../orders/gateway.server.ts';
import { firstOwed, readInvoices } from '../../orders/order-billing.server.ts';
import { byCustomer, bySite } from '../../orders/order-event.server.ts';
import { lockOrder, type Order } from '../../orders/order-store.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { type Cents, cents, totalOf } from '../../platform/money.ts';
import { brandOfLast4 } from './test-cards.ts';
import {
  cancelPayment,
  findPayment,
  insertCard,
  insertPayment,
  paymentStateOf,
} from './test-payments.server.ts';
import {
  chargeOf,
  findSubscription,
  insertSubscription,
  invoiceOf,
  linesOf,
  lockSubscription,
  NOT_RUNNING,
  PAID,
  type Subscription,
  settled,
  stateOf,
  updateSubscription,
} from './test-subscription.server.ts';

const NO_CARD = { refused: 'No card has been entered yet. Please enter one.' };
const OVERDUE = { refused: 'The last month has not been paid yet.' };

export function testGateway(context: DbAndNotify): Gateway {
  const { db } = context;
  return {
    provider: 'test',
    name: 'the test gateway',
    chargesRealMoney: false,
    updatesOrders: true,
    tax: false,
    start: (order) =>
      order.dueDays === null ? insertPayment(db, order) : issueInvoice(context, order),
    markPaid: (order, invoiceId) => markPaid(context, order, invoiceId),
    checkPostalCode: async () => 'known',
    async fetchPaymentState({ id }) {
      const subscription = await findSubscription(db, id);
      return {
        ...paymentStateOf(await findPayment(db, { orderId: id })),
        ...(subscription?.status === 'ended' ? { ended: true } : {}),
        ...(subscription?.ending ? { endsAt: subscription.periodEnd } : {}),
      };
    },
    cancelPayment: ({ id, dueDays }) =>
      db
        .transaction()
        .execute((trx) => (dueDays === null ? cancelPayment(trx, id) : endUnpaid(trx, id))),
    refund: (order, amount, decision) => refund(context, order, amount, decision),
    cancel: (order, when) => cancel(context, order, when),
    subscriptions: testSubscriptions(context),
    customerUrl: () => null,
  };
}

/** Issues the first invoice, once. Its id stands for a payment, so that the order counts as started. */
function issueInvoice({ db, notify }: DbAndNotify, order: Order): Promise<ProviderPayment> {
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, order.id);
    const invoices = await insertSubscription(trx, order, '');
    const state = { ...NOTHING_TRIED, invoices };
    await followPayment({ db: trx, notify }, order.id, state, bySite('test-invoice-sent'));
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
async function endUnpaid(trx: Db, orderId: number): Promise<'canceled' | 'succeeded'> {
  await lockOrder(trx, orderId);
  const invoices = await readInvoices(trx, orderId);
  if (invoices.some(({ paid }) => paid)) return 'succeeded';
  await updateSubscription(trx, orderId, { status: 'ended' });
  return 'canceled';
}

/** Unless another invoice is owed first by now. */
function markPaid({ db, notify }: DbAndNotify, { id }: Order, invoiceId: string): Promise<Outcome> {
  return db.transaction().execute(async (trx): Promise<Outcome> => {
    await lockOrder(trx, id);
    const owed = firstOwed(await readInvoices(trx, id));
    if (owed?.id !== invoiceId) return { refused: 'No invoice of this order is owed' };
    const state = { ...NOTHING_TRIED, invoices: [settled(owed, 'outside')] };
    await followPayment({ db: trx, notify }, id, state, bySite('test-invoice-outside'));
    return 'done';
  });
}

/** Refunds the newest paid invoice, once for each decision. */
function refund(
  { db, notify }: DbAndNotify,
  order: Order,
  amount: Cents | undefined,
  decision: string,
): Promise<Outcome> {
  return db.transaction().execute(async (trx): Promise<Outcome> => {
    const subscription = await lockSubscription(trx, order.id);
    const invoices = await readInvoices(trx, order.id);
    const invoice = invoices.find(({ paid }) => paid);
    if (!subscription || !invoice) return { refused: 'No payment found' };
    const refundKey = `${decision} ${amount ?? 'all'}`;
    if (subscription.refundKey === refundKey) return 'done';
    if (subscription.refundKey?.startsWith(`${decision} `))
      return { refused: changedMeanwhile(order) };
    const before = await chargeOf(trx, invoice);
    const refunded = before.refunded + (amount ?? before.amount - before.refunded);
    if (refunded > before.amount) return { refused: 'That’s more than is left to refund' };
    await updateSubscription(trx, order.id, { refundKey });
    const charge = { ...before, refunded: cents(refunded) };
    const state = { ...PAID, charges: [charge] };
    await followPayment({ db: trx, notify }, order.id, state, bySite('test-refund'));
    return 'done';
  });
}

function cancel(
  { db, notify }: DbAndNotify,
  order: Order,
  when: 'now' | 'period-end',
): Promise<Outcome> {
  return db.transaction().execute(async (trx): Promise<Outcome> => {
    const { id: orderId } = order;
    const subscription = await lockSubscription(trx, orderId);
    const atPeriodEnd = when === 'period-end' && subscription?.status === 'active';
    await updateSubscription(trx, orderId, atPeriodEnd ? { ending: 1 } : { status: 'ended' });
    const state: PaymentState = {
      ...stateOf(order),
      ...(atPeriodEnd ? { endsAt: subscription.periodEnd } : { ended: true, givenUp: true }),
    };
    await followPayment({ db: trx, notify }, orderId, state, bySite('test-subscription-ended'));
    return 'done';
  });
}

function testSubscriptions({ db, notify }: DbAndNotify): Subscriptions {
  const withRunning = <Done>(
    { id }: Order,
    act: (subscription: Subscription, trx: Db) => Promise<Done>,
  ) =>
    db.transaction().execute(async (trx) => {
      const subscription = await lockSubscription(trx, id);
      return subscription && subscription.status !== 'ended' ? act(subscription, trx) : NOT_RUNNING;
    });

  /** Saves a customer's change and updates the order. */
  async function store(
    trx: Db,
    order: Order,
    change: Partial<Subscription>,
    state: Partial<PaymentState>,
  ): Promise<Outcome> {
    await updateSubscription(trx, order.id, change);
    const reported = { ...stateOf(order), ...state };
    await followPayment({ db: trx, notify }, order.id, reported, byCustomer('changed'));
    return 'done';
  }

  return {
    getSubscription: (order) =>
      withRunning(order, async (subscription) => {
        const { ending, startedAt, periodEnd, cardLast4: last4 } = subscription;
        // The expiry date never leaves the browser, so a test card counts as valid for three years.
        const expiryYear = new Date(startedAt).getUTCFullYear() + 3;
        return {
          periodEnd,
          next: ending ? null : { total: totalOf(linesOf(subscription)), tax: cents(0) },
          card: last4 ? { brand: brandOfLast4(last4), last4, expiryMonth: 12, expiryYear } : null,
        };
      }),

    preview: (order, { lines }) =>
      withRunning(order, async ({ status, periodEnd: at }) => {
        if (status !== 'active') return OVERDUE;
        const monthly = totalOf(lines);
        return { monthly, difference: null, next: { at, total: monthly, tax: cents(0) } };
      }),

    change: (order, { lines }) =>
      withRunning<Outcome>(order, async (subscription, trx) => {
        const change = { lines: JSON.stringify(lines) };
        // An earlier request made the change and its response was lost.
        if (subscription.lines === change.lines) return 'done';
        if (subscription.status !== 'active') return OVERDUE;
        return store(trx, order, change, { plan: lines });
      }),

    resume: (order) =>
      withRunning(order, (_found, trx) => store(trx, order, { ending: 0 }, { endsAt: null })),

    startCard: (order) =>
      withRunning(order, async (_found, trx) => ({
        clientSecret: await insertCard(trx, order.id),
      })),

    finishCard: (order, clientSecret) =>
      withRunning<Outcome>(order, async (subscription, trx) => {
        const card = await findPayment(trx, { clientSecret });
        if (card?.orderId !== order.id || card.amountCents !== null) return NO_CARD;
        const { status, last4: cardLast4, refusal } = card;
        if (refusal) return { refused: refusal };
        if (status !== 'succeeded' || !cardLast4) return NO_CARD;
        if (subscription.status !== 'past_due') return store(trx, order, { cardLast4 }, {});
        const paid = invoiceOf({ ...subscription, cardLast4 }, true, order);
        return store(trx, order, { cardLast4, status: 'active' }, { invoices: [paid] });
      }),
  };
}
