/** Stripe as the checkout's payment provider: a monthly subscription per order, paid by its first invoice. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import type { StripeEnv } from '../platform/env.server.ts';
import { type Cents, cents } from '../platform/money.ts';
import type { Row, Tables } from '../platform/tables.server.ts';
import type {
  Gateway,
  NotStarted,
  PaymentState,
  ReversedCharge,
  StaffOutcome,
  StartedAtProvider,
} from './gateway.server.ts';
import { orAway, stripeFailure } from './stripe-client.server.ts';
import { StripePrices } from './stripe-prices.server.ts';
import { stateAtStripe } from './stripe-state.server.ts';
import { findSubscription, subscribe } from './stripe-subscription.server.ts';

type Order = Row<'orders'>;

export interface StripeGateway extends Omit<Gateway, 'calls'> {
  /** Finds what was started for the order when the answer never arrived; null when nothing was. */
  find(order: Order): Promise<StartedAtProvider | 'away' | null>;
}

const NOTHING: PaymentState = { status: 'requires_payment_method', refused: false };

export function stripeGateway(stripe: Stripe, db: Kysely<Tables>, env: StripeEnv): StripeGateway {
  const prices = new StripePrices(stripe);
  const starting = new Map<number, Promise<StartedAtProvider | NotStarted>>();

  return {
    config: {
      provider: 'stripe',
      publishableKey: env.publishableKey,
      ...(env.tax ? { tax: true } : {}),
    },
    live: env.live,
    /** However often one order is submitted at once, Stripe is asked once. */
    start(order) {
      const running = starting.get(order.id);
      if (running) return running;
      const started = orAway('start', subscribe({ stripe, db, prices, tax: env.tax }, order));
      starting.set(order.id, started);
      const done = () => starting.delete(order.id);
      started.then(done, done);
      return started;
    },
    async look(order) {
      if (!order.paymentId) return NOTHING;
      return orAway('look', stateAtStripe(stripe, order, order.paymentId));
    },
    async find(order) {
      const row = await db
        .selectFrom('stripeCustomers')
        .select('customerId')
        .where('email', '=', order.email.toLowerCase())
        .executeTakeFirst();
      if (!row?.customerId) return null;
      const found = await orAway('find', findSubscription(stripe, order, row.customerId));
      return found ?? null;
    },
    refund: (order, amount, key) => refund(stripe, order, amount, key),
    async cancel(order, when) {
      const { subscriptionId } = order;
      if (!subscriptionId) return 'done';
      return decided('cancel', async () => {
        if (when === 'now') await stripe.subscriptions.cancel(subscriptionId);
        else await stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: true });
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
  };
}

/** The newest month that has been paid is given back. */
async function refund(
  stripe: Stripe,
  order: Order,
  amount: Cents | undefined,
  key: string,
): Promise<ReversedCharge | Exclude<StaffOutcome, 'done'>> {
  const nothing = { refused: 'Nothing has been paid at Stripe' };
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
        payment_intent: typeof intent === 'string' ? intent : intent.id,
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

/** Staff read in Stripe's own words why it refuses; no answer and a fault at Stripe are 'away'. */
async function decided<const Done>(
  during: string,
  act: () => Promise<Done>,
): Promise<Done | Exclude<StaffOutcome, 'done'>> {
  try {
    return await act();
  } catch (error) {
    const { statusCode = 500, message } = stripeFailure(error, during);
    return statusCode >= 400 && statusCode < 500 && statusCode !== 429 && statusCode !== 409
      ? { refused: message }
      : 'away';
  }
}
