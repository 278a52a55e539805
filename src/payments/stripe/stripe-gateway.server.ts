/** Stripe as the checkout's payment provider: a monthly subscription per order, paid by its first invoice. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { Gateway, NotStarted, StartedAtProvider } from '../../orders/gateway.server.ts';
import { savePayment, setBilling } from '../../orders/order-store.server.ts';
import { wasStarted } from '../../orders/payment.ts';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { finishCard, startCard } from './stripe-card-change.server.ts';
import { callStripe, idOf, orUnavailable } from './stripe-client.server.ts';
import { changePlan, getSubscription, previewChange, resume } from './stripe-plan-change.server.ts';
import { fetchState, NOTHING_TRIED } from './stripe-state.server.ts';
import { checkPlace, findSubscription, subscribe } from './stripe-subscription.server.ts';

type Order = Row<'orders'>;

export interface StripeGateway extends Gateway {
  /** Finds what was started for the order when the answer never arrived; null when nothing was. */
  find(order: Order): Promise<StartedAtProvider | 'unavailable' | null>;
}

/** How long a buyer waits for all requests that start a payment. */
const START_WITHIN_MS = 25_000;

export function stripeGateway(stripe: Stripe, env: StripeEnv, db: Kysely<Tables>): StripeGateway {
  const starting = new Map<number, Promise<StartedAtProvider | NotStarted>>();

  /** Asks Stripe once, however often an order is submitted while that lasts. */
  function startOnce(order: Order): Promise<StartedAtProvider | NotStarted> {
    const running = starting.get(order.id);
    if (running) return running;
    const started = orUnavailable('start', subscribe({ db, stripe, tax: env.tax }, order));
    starting.set(order.id, started);
    const done = () => starting.delete(order.id);
    started.then(done, done);
    return started;
  }

  async function find(order: Order): Promise<StartedAtProvider | 'unavailable' | null> {
    return (await orUnavailable('find', findSubscription(stripe, order))) ?? null;
  }

  /** It may have been made although the answer was lost. */
  async function subscriptionIdOf(order: Order): Promise<string | 'unavailable' | null> {
    if (order.subscriptionId) return order.subscriptionId;
    const found = await find(order);
    if (found === 'unavailable' || found === null) return found;
    await savePayment(db, order.id, found);
    return found.subscriptionId;
  }

  return {
    provider: 'stripe',
    live: env.live,
    tax: env.tax,
    start: (order) => within(START_WITHIN_MS, startOnce(order)),
    checkPostalCode: (code) => orUnavailable('check-place', checkPlace(stripe, code)),
    async fetchPaymentState(order) {
      if (!wasStarted(order)) return NOTHING_TRIED;
      return orUnavailable('fetch-state', fetchState(stripe, order));
    },
    find,
    async cancelPayment(order) {
      const id = await subscriptionIdOf(order);
      if (id === 'unavailable') return id;
      // What may be made by a request that is under way ends when its answer is stored.
      return id === null
        ? 'canceled'
        : callStripe('cancel-payment', () => voidFirstInvoice(stripe, id), inStripesWords);
    },
    refund: (order, amount, key) =>
      callStripe('refund', () => refund(stripe, order, amount, key), inStripesWords),
    async cancel(order, when) {
      const id = await subscriptionIdOf(order);
      if (id === 'unavailable') return id;
      if (id === null) return 'done';
      const cancel = async () => {
        if (when === 'now') {
          await endNow(stripe, id);
          await setBilling(db, order.id, { subscriptionEnded: 1 });
        } else await stripe.subscriptions.update(id, { cancel_at_period_end: true });
        return 'done' as const;
      };
      return callStripe('cancel', cancel, inStripesWords);
    },
    staffPage({ subscriptionId }) {
      const mode = env.live ? '' : 'test/';
      return (
        subscriptionId && `https://dashboard.stripe.com/${mode}subscriptions/${subscriptionId}`
      );
    },
    now: async () => Math.floor(Date.now() / 1000) * 1000,
    subscriptions: {
      getSubscription: (order) =>
        callStripe('getSubscription', () => getSubscription(stripe, order)),
      preview: (order, change) => callStripe('preview', () => previewChange(stripe, order, change)),
      change: (order, change) => callStripe('change', () => changePlan(stripe, order, change)),
      resume: (order) => callStripe('resume', () => resume(stripe, order)),
      startCard: (order) => callStripe('start-card', () => startCard(stripe, order)),
      finishCard: (order, secret) =>
        callStripe('finish-card', () => finishCard(stripe, order, secret)),
    },
  };
}

/** 'unavailable' when the answer takes longer; it is not stopped, and whoever asks again may find it. */
async function within<Answer>(
  ms: number,
  answer: Promise<Answer>,
): Promise<Answer | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'unavailable'>((resolve) => {
    timer = setTimeout(() => resolve('unavailable'), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Staff read why Stripe refuses. */
function inStripesWords({ message }: Stripe.errors.StripeError): string {
  return message;
}

/** Refunds the newest month that has been paid. */
async function refund(
  stripe: Stripe,
  ...[order, amount, key]: Parameters<Gateway['refund']>
): ReturnType<Gateway['refund']> {
  const nothing = { refused: 'No payment found in Stripe' };
  const { subscriptionId: subscription } = order;
  if (!subscription) return nothing;
  const paid = await stripe.invoices.list({
    subscription,
    status: 'paid',
    limit: 1,
    expand: ['data.payments'],
  });
  const payment = paid.data[0]?.payments?.data.find((each) => each.status === 'paid')?.payment;
  const intent = payment?.payment_intent;
  if (!intent) return nothing;
  const { charge } = await stripe.refunds.create(
    {
      payment_intent: idOf(intent),
      ...(amount === undefined ? {} : { amount }),
      expand: ['charge'],
    },
    { idempotencyKey: `order-${order.id}-${order.createdAt}-refund-${key}-${amount ?? 'all'}` },
  );
  if (!charge || typeof charge === 'string') throw new Error('a refund came without its charge');
  const { id, amount: charged, amount_refunded } = charge;
  return { id, amount: cents(charged), refunded: cents(amount_refunded) };
}

/** A bill that is void can no longer be paid; Stripe refuses to void one that is paid. */
async function voidFirstInvoice(stripe: Stripe, id: string): Promise<'canceled' | 'succeeded'> {
  const { status, latest_invoice: first } = await stripe.subscriptions.retrieve(id);
  if (status === 'incomplete_expired') return 'canceled';
  if (status !== 'incomplete' || !first) return 'succeeded';
  try {
    await stripe.invoices.voidInvoice(idOf(first));
  } catch (error) {
    const invoice = await stripe.invoices.retrieve(idOf(first));
    if (invoice.status === 'paid') return 'succeeded';
    if (invoice.status !== 'void') throw error;
  }
  await endNow(stripe, id);
  return 'canceled';
}

/** Also when it has ended already, or its answer was lost: Stripe refuses to end the same one twice. */
async function endNow(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id);
  } catch (error) {
    const { status } = await stripe.subscriptions.retrieve(id);
    if (status !== 'canceled' && status !== 'incomplete_expired') throw error;
  }
}
