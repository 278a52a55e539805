/** The built-in provider takes no real cards; what happens to an order is recorded. */

import { hash } from 'node:crypto';
import type { Order } from '../../billing/billed-order.server.ts';
import { byCustomer, byProvider, bySite, type Cause } from '../../billing/cause.server.ts';
import type {
  Gateway,
  PricesToCome,
  ProviderPayment,
  Subscriptions,
} from '../../billing/gateway.server.ts';
import { firstOwed } from '../../billing/invoice-store.server.ts';
import { owesByCard } from '../../billing/order-status.ts';
import { getOrder } from '../../billing/order-store.server.ts';
import { cardName, payingWords } from '../../billing/subscription.ts';
import { type PriceLine, parseLines, repriced } from '../../catalogue/pricing.ts';
import { cents, totalOf } from '../../platform/money.ts';
import type { PaymentProvider } from '../provider.server.ts';
import { makeHappenCall } from './make-happen.server.ts';
import { brandOfLast4 } from './test-cards.ts';
import {
  cancelPayment,
  findPayment,
  insertPayment,
  paymentStateOf,
  startCard,
  testPaymentCalls,
  useCard,
} from './test-payments.server.ts';
import {
  type Act,
  begin,
  changeInvoice,
  isActive,
  NOT_RUNNING,
  nextMonthAt,
  payInvoice,
  record,
  type TestContext,
} from './test-records.server.ts';

const NAME = 'the test gateway';
const because = (pressId?: number): Cause => byProvider({ name: NAME }, pressId);

export function testGateway(context: TestContext): Gateway {
  const { db } = context;
  return {
    provider: 'test',
    name: NAME,
    chargesRealMoney: false,
    updatesOrders: true,
    tax: false,
    start: (order) =>
      order.subscription.collection === 'card'
        ? insertPayment(db, order)
        : sendFirstInvoice(context, order),
    checkPostalCode: async () => 'known',
    async fetchPaymentState({ id }) {
      const payment = await findPayment(db, { orderId: id });
      return payment ? paymentStateOf(payment) : {};
    },
    cancelPayment: ({ id }) => db.transaction().execute((trx) => cancelPayment(trx, id)),

    /** A decision that is repeated is on an older version of the order. */
    refund: (order, parts, { pressId }) =>
      record(context, order, because(pressId), (_trx, now) => {
        const charges = parts.flatMap(({ charge, amount }) =>
          now.charges
            .filter(({ id }) => id === charge)
            .map((row) => ({ ...row, refundedCents: cents(row.refundedCents + amount) })),
        );
        return charges.some(({ dispute }) => dispute)
          ? 'The bank has taken this payment back, or decides on that.'
          : { charges };
      }),

    invoicePages: null,
    setCustomer: async () => 'done',
    setPoNumber: async () => 'done',

    /** Unless another invoice is owed first by now. */
    markPaid: (order, invoiceId, pressId) =>
      record(context, order, because(pressId), (_trx, now) => {
        const owed = firstOwed(now);
        return owed?.id === invoiceId
          ? changeInvoice(now, owed, 'out_of_band')
          : 'No invoice of this order is owed';
      }),

    cancel: (order, when, pressId) =>
      record(context, order, because(pressId), (_trx, now) => {
        const runsOn = isActive(now) && !owesByCard(now);
        return when === 'period-end' && runsOn
          ? { cancelAt: nextMonthAt(now, context.company) }
          : { status: 'canceled', abandoned: true };
      }),
    subscriptions: testSubscriptions(context),
    customerUrl: () => null,
    setPrices: null,
  };
}

/** Issues the first invoice, once. Its id stands for a payment: the order was started. */
async function sendFirstInvoice(context: TestContext, order: Order): Promise<ProviderPayment> {
  await record(context, order, bySite('test-invoice-sent'), (_trx, now) =>
    now.subscription.status === 'incomplete' ? begin(now, context.company) : {},
  );
  const paymentId = `test_invoice_${order.id}_1`;
  const due = {
    month: order.subscription.amountCents,
    once: totalOf(parseLines(order.boughtOnce)),
  };
  return { paymentId, clientSecret: null, customerId: null, subscriptionId: null, due };
}

/** At the prices that hold for the month that begins then. */
function nextCharge(lines: readonly PriceLine[], at: number, toCome?: PricesToCome) {
  const prices = toCome && at >= toCome.at ? toCome.prices : [];
  return { total: totalOf(repriced(lines, prices)), tax: cents(0) };
}

function testSubscriptions(context: TestContext): Subscriptions {
  const { db } = context;
  async function running(order: Order) {
    const now = await getOrder(db, order);
    return isActive(now) ? { now, periodEnd: nextMonthAt(now, context.company) } : null;
  }
  const change = (order: Order, act: Act, cause: Cause = byCustomer('changed')) =>
    record(context, order, cause, (trx, now) => (isActive(now) ? act(trx, now) : NOT_RUNNING));
  return {
    async getSubscription(order, toCome) {
      const found = await running(order);
      if (!found) return { refused: NOT_RUNNING };
      const { now, periodEnd } = found;
      const { last4 } = (await findPayment(db, { orderId: order.id })) ?? {};
      const brand = `${brandOfLast4(last4 ?? '')} test card`;
      return {
        periodEnd,
        next:
          now.subscription.cancelAt === null
            ? nextCharge(parseLines(now.subscription.priceLines), periodEnd, toCome)
            : null,
        card: last4 ? { brand, last4, expiryMonth: null, expiryYear: null } : null,
      };
    },

    async preview(order, { lines, toCome }) {
      const found = await running(order);
      if (!found) return { refused: NOT_RUNNING };
      const { periodEnd: at } = found;
      const next = { at, ...nextCharge(lines, at, toCome) };
      return { monthly: next.total, difference: null, next };
    },

    change: (order, { lines, sold }, pressId) =>
      change(
        order,
        (_trx, now) =>
          owesByCard(now) ? payingWords(now.subscription).unpaid : { lines, ...(sold && { sold }) },
        because(pressId),
      ),
    resume: (order, pressId) => change(order, () => ({ cancelAt: null }), because(pressId)),

    startCard: async (order) =>
      (await running(order))
        ? { clientSecret: await startCard(db, order.id) }
        : { refused: NOT_RUNNING },

    finishCard: (order, clientSecret) =>
      change(order, async (trx, now) => {
        const [newest] = now.invoices;
        const card = await useCard(trx, order.id, clientSecret);
        if ('refused' in card) return card.refused;
        return {
          ...(newest && owesByCard(now) && payInvoice(now, newest, card.last4)),
          replacement: {
            id: hash('sha256', clientSecret),
            card: cardName(brandOfLast4(card.last4), card.last4),
          },
        };
      }),
  };
}

/** The test gateway, as the rest of the site sees it. */
export const TEST_PROVIDER: PaymentProvider = {
  chargesRealMoney: false,
  cspSources: { sources: {}, frames: null },
  apiUrl: null,
  check: (report) =>
    report.warning(
      'the test gateway takes the payments, and no money moves',
      'Set the keys of a payment provider; .env.example explains them.',
    ),
  start(context) {
    const gateway = testGateway(context);
    return {
      gateway,
      config: { provider: 'test' },
      calls: [...testPaymentCalls(context), makeHappenCall({ ...context, gateway })],
      intervals: [],
    };
  },
};
