/** Stripe as the checkout's payment provider: a monthly subscription per order, paid by its first invoice. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { Gateway, NotStarted, StartedAtProvider } from '../../orders/gateway.server.ts';
import { savePayment, setBilling } from '../../orders/order-store.server.ts';
import { wasStarted } from '../../orders/payment.ts';
import type { StripeEnv } from '../../platform/config/env.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { callStripe, orAway } from './stripe-client.server.ts';
import { NOTHING, stateAtStripe } from './stripe-state.server.ts';
import { findSubscription, idOf, subscribe } from './stripe-subscription.server.ts';
import { stripeSubscriptions } from './stripe-subscriptions.server.ts';

type Order = Row<'orders'>;

export interface StripeGateway extends Gateway {
  /** Finds what was started for the order when the answer never arrived; null when nothing was. */
  find(order: Order): Promise<StartedAtProvider | 'away' | null>;
}

export function stripeGateway(stripe: Stripe, env: StripeEnv, db: Kysely<Tables>): StripeGateway {
  const starting = new Map<number, Promise<StartedAtProvider | NotStarted>>();

  async function find(order: Order): Promise<StartedAtProvider | 'away' | null> {
    if (!order.customerId) return null;
    const found = await orAway('find', findSubscription(stripe, order, order.customerId));
    return found ?? null;
  }

  /** It may have been made although the answer was lost. */
  async function subscriptionIdOf(order: Order): Promise<string | 'away' | null> {
    if (order.subscriptionId) return order.subscriptionId;
    const found = await find(order);
    if (found === 'away' || found === null) return found;
    await savePayment(db, order.id, found);
    return found.subscriptionId;
  }

  return {
    provider: 'stripe',
    live: env.live,
    tax: env.tax,
    /** However often one order is submitted at once, Stripe is asked once. */
    start(order) {
      const running = starting.get(order.id);
      if (running) return running;
      const started = orAway('start', subscribe({ db, stripe, tax: env.tax }, order));
      starting.set(order.id, started);
      const done = () => starting.delete(order.id);
      started.then(done, done);
      return started;
    },
    async fetchPaymentState(order) {
      if (!wasStarted(order)) return NOTHING;
      return orAway('look', stateAtStripe(stripe, order));
    },
    find,
    async cancelPayment(order) {
      const id = await subscriptionIdOf(order);
      if (id === 'away') return id;
      // What may be made of a request that is under way ends when its answer is stored.
      return id === null ? 'canceled' : orAway('cancel-payment', voidFirstInvoice(stripe, id));
    },
    refund: (...asked) => refund(stripe, ...asked),
    async cancel(order, when) {
      const id = await subscriptionIdOf(order);
      if (id === 'away') return id;
      if (id === null) return 'done';
      return decided('cancel', async () => {
        if (when === 'now') {
          await endNow(stripe, id);
          await setBilling(db, order.id, { subscriptionEnded: 1 });
        } else await stripe.subscriptions.update(id, { cancel_at_period_end: true });
        return 'done';
      });
    },
    async billingPage({ customerId }, returnTo) {
      if (!customerId) return null;
      const session = await orAway(
        'billing-page',
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnTo }),
      );
      return session === 'away' ? 'away' : session.url;
    },
    staffPage({ subscriptionId }) {
      const mode = env.live ? '' : 'test/';
      return (
        subscriptionId && `https://dashboard.stripe.com/${mode}subscriptions/${subscriptionId}`
      );
    },
    subscriptions: stripeSubscriptions(stripe),
  };
}

/** The newest month that has been paid is given back. */
async function refund(
  stripe: Stripe,
  ...[order, amount, key]: Parameters<Gateway['refund']>
): ReturnType<Gateway['refund']> {
  const nothing = { refused: 'No payment found in Stripe' };
  const { subscriptionId } = order;
  if (!subscriptionId) return nothing;
  return decided('refund', async () => {
    const paid = await stripe.invoices.list({
      subscription: subscriptionId,
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
      {
        idempotencyKey: `order-${order.id}-${order.createdAt}-refund-${key}-${amount ?? 'all'}`,
      },
    );
    if (!charge || typeof charge === 'string') throw new Error('a refund came without its charge');
    return {
      id: charge.id,
      amount: cents(charge.amount),
      refunded: cents(charge.amount_refunded),
    };
  });
}

/** A bill that is void can no longer be paid; Stripe refuses to void one that is paid. */
async function voidFirstInvoice(
  stripe: Stripe,
  subscriptionId: string,
): Promise<'canceled' | 'succeeded'> {
  const { status, latest_invoice: first } = await stripe.subscriptions.retrieve(subscriptionId);
  if (status === 'incomplete_expired') return 'canceled';
  if (status !== 'incomplete' || !first) return 'succeeded';
  try {
    await stripe.invoices.voidInvoice(idOf(first));
  } catch (error) {
    const invoice = await stripe.invoices.retrieve(idOf(first));
    if (invoice.status === 'paid') return 'succeeded';
    if (invoice.status !== 'void') throw error;
  }
  await endNow(stripe, subscriptionId);
  return 'canceled';
}

/** Also when it has ended already, or its answer was lost: Stripe refuses to end the same one twice. */
async function endNow(stripe: Stripe, subscriptionId: string): Promise<void> {
  try {
    await stripe.subscriptions.cancel(subscriptionId);
  } catch (error) {
    const { status } = await stripe.subscriptions.retrieve(subscriptionId);
    if (status !== 'canceled' && status !== 'incomplete_expired') throw error;
  }
}

/** Staff read in Stripe's own words why it refuses; no answer and a fault at Stripe are 'away'. */
function decided<const Done>(during: string, act: () => Promise<Done>) {
  return callStripe(during, act, ({ message }) => message);
}
