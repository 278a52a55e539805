/** Sets up the fake Stripe and Stripe's client for the fake's own tests. */
import Stripe from 'stripe';
import { startFakeStripe } from './fake-stripe.ts';

export const GOOD = '4242424242424242';

export const monthly = (product: string, unit_amount: number, quantity = 1) => ({
  price_data: {
    ...{ product, unit_amount, currency: 'usd', tax_behavior: 'exclusive' as const },
    recurring: { interval: 'month' as const },
  },
  quantity,
});

export async function openShop() {
  const fake = await startFakeStripe();
  const { hostname, port } = new URL(fake.url);
  const stripe = new Stripe(fake.secretKey, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
  for (const id of ['base', 'seats']) await stripe.products.create({ id, name: id });
  const address = { country: 'US', postal_code: '30301' };
  const customer = await stripe.customers.create({ email: 'buyer@example.com', address });
  /** Subscribes to $299 and four seats at $12.50 and pays, unless `card` is null. */
  async function subscribe(
    params: Partial<Stripe.SubscriptionCreateParams> = {},
    card: string | null = GOOD,
  ) {
    const made = await stripe.subscriptions.create({
      customer: customer.id,
      items: [monthly('base', 29_900), monthly('seats', 1250, 4)],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.confirmation_secret'],
      ...params,
    });
    const invoice = made.latest_invoice;
    if (!invoice || typeof invoice === 'string') throw new Error('the invoice is not expanded');
    const secret = invoice.confirmation_secret?.client_secret ?? '';
    if (card) fake.confirmCard(secret, card);
    return { id: made.id, secret, seats: made.items.data[1]?.id ?? '' };
  }
  return { fake, stripe, customer, subscribe };
}

/** Returns the error of a refused call. */
export async function failureOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error = await call.then(
    () => new Error('the call was not refused'),
    (reason: unknown) => reason,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw error;
}
