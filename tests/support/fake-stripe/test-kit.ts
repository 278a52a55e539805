import Stripe from 'stripe';
import { type FakeStripe, type FakeStripeOptions, startFakeStripe } from './fake-stripe.ts';

export const clientFor = (
  fake: FakeStripe,
  config: { maxNetworkRetries?: number; timeout?: number; key?: string } = {},
): Stripe => {
  const { hostname, port } = new URL(fake.url);
  const { key = fake.secretKey, ...rest } = config;
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    ...rest,
  });
};

export interface Shop {
  fake: FakeStripe;
  stripe: Stripe;
  customer: Stripe.Customer;
}

/** A price of a month for one of the shop's products. */
export const monthly = (product: 'prod_base' | 'prod_seats', unit_amount: number) =>
  ({
    product,
    unit_amount,
    currency: 'usd',
    recurring: { interval: 'month' },
    tax_behavior: 'exclusive',
  }) as const;

export const openShop = async (options: FakeStripeOptions = {}): Promise<Shop> => {
  const fake = await startFakeStripe(options);
  const stripe = clientFor(fake);
  await stripe.products.create({ id: 'prod_base', name: 'Professional plan' });
  await stripe.products.create({ id: 'prod_seats', name: 'Microsoft 365' });
  const customer = await stripe.customers.create({
    email: 'buyer@example.com',
    name: 'Pat Buyer',
    address: { country: 'US', postal_code: '30301' },
  });
  return { fake, stripe, customer };
};

export const subscribe = (
  shop: Shop,
  options: Stripe.RequestOptions = {},
): Promise<Stripe.Subscription> =>
  shop.stripe.subscriptions.create(
    {
      customer: shop.customer.id,
      items: [
        { price_data: monthly('prod_base', 29_900) },
        { price_data: monthly('prod_seats', 1250), quantity: 4 },
      ],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { orderId: '7' },
      expand: ['latest_invoice.confirmation_secret'],
    },
    options,
  );

export const invoiceIn = (subscription: Stripe.Subscription): Stripe.Invoice => {
  const invoice = subscription.latest_invoice;
  if (invoice === null || typeof invoice === 'string')
    throw new Error('latest_invoice is not expanded');
  return invoice;
};

export const secretOf = (subscription: Stripe.Subscription): string => {
  const secret = invoiceIn(subscription).confirmation_secret?.client_secret;
  if (secret === undefined) throw new Error('no confirmation secret');
  return secret;
};

export const intentOf = (subscription: Stripe.Subscription): string =>
  secretOf(subscription).split('_secret_')[0] ?? '';

export const typesOf = (fake: FakeStripe, from = 0): string[] =>
  fake.events.slice(from).map((event) => event.type);

/** The error a refused call ends in. */
export const failureOf = async (call: Promise<unknown>): Promise<Stripe.errors.StripeError> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('the call was not refused');
};
