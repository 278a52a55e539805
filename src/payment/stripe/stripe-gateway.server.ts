/** Stripe as the checkout's payment provider: a monthly subscription per order, paid by its first invoice. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { Gateway, NotStarted, StartedAtProvider } from '../../orders/gateway.server.ts';
import { savePayment, setBilling } from '../../orders/order-store.server.ts';
import { wasStarted } from '../../orders/payment.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import type { StripeEnv } from '../../platform/env/env.server.ts';
import { cents } from '../../platform/money.ts';
import { told } from './events/stripe-told.server.ts';
import { orAway } from './stripe-client.server.ts';
import { StripePrices } from './stripe-prices.server.ts';
import { NOTHING, stateAtStripe } from './stripe-state.server.ts';
import { findSubscription, idOf, subscribe } from './stripe-subscription.server.ts';
import { stripeSubscriptions } from './stripe-subscriptions.server.ts';

type Order = Row<'orders'>;

export interface StripeGateway extends Gateway {
  /** Finds what was started for the order when the answer never arrived; null when nothing was. */
  find(order: Order): Promise<StartedAtProvider | 'away' | null>;
}

export function stripeGateway(stripe: Stripe, env: StripeEnv, db: Kysely<Tables>): StripeGateway {
  const prices = new StripePrices(stripe);
  const starting = new Map<number, Promise<StartedAtProvider | NotStarted>>();

  async function find(order: Order): Promise<StartedAtProvider | 'away' | null> {
    if (!order.customerId) return null;
    const found = await orAway('find', findSubscription(stripe, order, order.customerId));
    return found ?? null;
  }

  return {
    provider: 'stripe',
    live: env.live,
    tax: env.tax,
    /** However often one order is submitted at once, Stripe is asked once. */
    start(order) {
      const running = starting.get(order.id);
      if (running) return running;
      const started = orAway('start', subscribe({ db, stripe, prices, tax: env.tax }, order));
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
    refund: (...asked) => refund(stripe, ...asked),
    async cancel(order, when) {
      let { subscriptionId } = order;
      if (!subscriptionId) {
        // It may have been made although the answer was lost.
        const found = await find(order);
        if (found === 'away') return 'away';
        if (found) await savePayment(db, order.id, found);
        subscriptionId = found?.subscriptionId ?? null;
      }
      if (!subscriptionId) return 'done';
      const id = subscriptionId;
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
    subscriptions: stripeSubscriptions({ stripe, prices }),
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
  return told(during, act, ({ message }) => message);
}
