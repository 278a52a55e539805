import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import type { Invoice, InvoiceLine, InvoicePayment, Subscription } from './billing-objects.ts';
import type * as ours from './objects.ts';

/** Fields that are here but not at Stripe; only the compiler looks at this. */
type Invented<Ours, Real> = Exclude<keyof Ours, keyof Real>;

const invented: (
  | Invented<ours.Customer, Stripe.Customer>
  | Invented<ours.Product, Stripe.Product>
  | Invented<ours.Price, Stripe.Price>
  | Invented<ours.PaymentIntent, Stripe.PaymentIntent>
  | Invented<ours.PaymentMethod, Stripe.PaymentMethod>
  | Invented<ours.Charge, Stripe.Charge>
  | Invented<ours.Refund, Stripe.Refund>
  | Invented<ours.Dispute, Stripe.Dispute>
  | Invented<ours.SetupIntent, Stripe.SetupIntent>
  | Invented<Subscription, Stripe.Subscription>
  | Invented<Subscription['items']['data'][number], Stripe.SubscriptionItem>
  | Invented<Invoice, Stripe.Invoice>
  | Invented<InvoiceLine, Stripe.InvoiceLineItem>
  | Invented<InvoicePayment, Stripe.InvoicePayment>
)[] extends never[]
  ? never[]
  : 'a field that Stripe does not have' = [];

it('has no field that the SDK’s types do not have', () => {
  expect(invented).toEqual([]);
});
