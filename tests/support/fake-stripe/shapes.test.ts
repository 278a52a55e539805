import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import type { Customer, Price, Product } from './objects-catalogue.ts';
import type { Invoice, InvoicePayment } from './objects-invoice.ts';
import type { Charge, PaymentIntent, PaymentMethod } from './objects-payment.ts';
import type { Dispute, Refund } from './objects-reversal.ts';
import type { SetupIntent } from './objects-setup.ts';
import type { Subscription } from './objects-subscription.ts';
import { failureOf, openShop, secretOf, subscribe } from './test-kit.ts';

type RequiredKeys<T> = {
  [K in keyof T]-?: Partial<Record<K, never>> extends Pick<T, K> ? never : K;
}[keyof T];

/** Fields Stripe always sends that are missing here, and fields that are here but not at Stripe. */
type Differences<Real, Ours> =
  | Exclude<RequiredKeys<Real>, keyof Ours>
  | Exclude<keyof Ours, keyof Real>;

/** Only the compiler looks at this: a difference makes the list below an error. */
type Same<Real, Ours> = [Differences<Real, Ours>] extends [never] ? true : Differences<Real, Ours>;

const same: [
  Same<Stripe.Customer, Customer>,
  Same<Stripe.Product, Product>,
  Same<Stripe.Price, Price>,
  Same<Stripe.Subscription, Subscription>,
  Same<Stripe.SubscriptionItem, Subscription['items']['data'][number]>,
  Same<Stripe.Plan, Subscription['items']['data'][number]['plan']>,
  Same<Stripe.Invoice, Invoice>,
  Same<Stripe.InvoiceLineItem, Invoice['lines']['data'][number]>,
  Same<Stripe.InvoicePayment, InvoicePayment>,
  Same<Stripe.PaymentIntent, PaymentIntent>,
  Same<Stripe.PaymentMethod, PaymentMethod>,
  Same<Stripe.Charge, Charge>,
  Same<Stripe.Refund, Refund>,
  Same<Stripe.Dispute, Dispute>,
  Same<Stripe.SetupIntent, SetupIntent>,
] = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];

it('has the fields of the SDK’s types, and no others', () => {
  expect(same).toHaveLength(15);
});

it('shows decimals as the SDK reads them, and what is asked for besides', async () => {
  const shop = await openShop();
  const { fake, stripe } = shop;
  const subscription = await subscribe(shop);
  fake.confirmCard(secretOf(subscription), '4242424242424242');
  const invoices = await stripe.invoices.list({
    subscription: subscription.id,
    expand: ['data.payments'],
  });
  const [line] = invoices.data[0]?.lines.data ?? [];
  expect(line?.pricing?.unit_amount_decimal?.toString()).toBe('29900');
  expect(line?.quantity_decimal?.toString()).toBe('1');
  const deep = stripe.subscriptions.list({
    customer: shop.customer.id,
    status: 'all',
    expand: ['data.items.data.price.product'],
  });
  expect((await failureOf(deep)).code).toBe('property_expansion_max_depth');
  expect(invoices.data[0]?.payments?.data).toMatchObject([
    { status: 'paid', payment: { type: 'payment_intent' } },
  ]);
  await fake.close();
});
