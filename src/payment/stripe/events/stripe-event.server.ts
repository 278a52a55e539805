/** What each of Stripe's events says of an order. Read field by field: an event's shape is not ours to promise. */
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { PaymentState } from '../../../orders/gateway.server.ts';
import { cents } from '../../../platform/money.ts';
import { detailsOf, disputeState, receivedBy, subscriptionState } from '../stripe-state.server.ts';
import { idOf } from '../stripe-subscription.server.ts';

/** Whose event it is: what Stripe names, in the order in which it is believed. */
export interface Mark {
  orderId?: string;
  orderedAt?: string;
  subscriptionId?: string;
  paymentId?: string;
  chargeId?: string;
}

export interface StripeNews {
  mark: Mark;
  /** What was charged or billed; null where the event names no amount. `first`: it is the order's own first payment. */
  sum: { amount: number; currency: string; first: boolean } | null;
  /** What the event says by itself, and holds whatever else was or will be heard. */
  says: PaymentState;
  /** Why the event contradicts itself, in words for staff: then nothing follows from it. */
  contradiction?: string;
  /** Events overtake each other: what is true now is asked of Stripe's API. */
  ask: boolean;
  cause: string;
}

/** Nothing has been said of the first payment. */
const SILENT = { status: 'requires_payment_method', refused: false } as const;
const PAID = { status: 'succeeded', refused: false } as const;

const reference = () =>
  z.pipe(
    z.nullish(z.union([z.string(), z.object({ id: z.string() })])),
    z.transform((value) => (value ? idOf(value) : undefined)),
  );

/** Of the metadata only what we put there ourselves. */
const metadata = () =>
  z.nullish(z.object({ orderId: z.optional(z.string()), orderedAt: z.optional(z.string()) }));
const parentSchema = z.nullish(
  z.object({
    subscription_details: z.nullish(z.object({ subscription: reference(), metadata: metadata() })),
  }),
);

const invoiceSchema = z.object({
  id: z.string(),
  created: z.int(),
  status: z.nullish(z.string()),
  amount_due: z.int(),
  amount_paid: z.int(),
  currency: z.string(),
  billing_reason: z.nullish(z.string()),
  parent: parentSchema,
});
const subscriptionSchema = z.object({
  id: z.string(),
  status: z.string(),
  metadata: metadata(),
  cancel_at: z.nullish(z.int()),
  latest_invoice: reference(),
});
const chargeSchema = z.object({
  id: z.string(),
  amount: z.int(),
  amount_refunded: z.int(),
  currency: z.string(),
  payment_intent: reference(),
});
const disputeSchema = z.object({
  id: z.string(),
  charge: reference(),
  payment_intent: reference(),
  amount: z.int(),
  status: z.string(),
  reason: z.nullish(z.string()),
});

const intentSchema = z.object({
  id: z.string(),
  amount: z.int(),
  amount_received: z.nullish(z.int()),
  currency: z.string(),
  status: z.string(),
});

type Reader = (object: unknown, event: Envelope) => StripeNews;
type Envelope = Pick<Stripe.Event, 'created'> & { type: string };

const READERS: Record<string, Reader> = {
  'payment_intent.succeeded': intentNews,
  'payment_intent.processing': intentNews,
  'payment_intent.payment_failed': intentNews,
  'invoice.paid': (object) => invoiceNews(object, 'paid'),
  'invoice.payment_failed': (object) => invoiceNews(object, 'failed'),
  'invoice.payment_action_required': (object) => invoiceNews(object, 'waiting'),
  'customer.subscription.updated': subscriptionNews,
  'customer.subscription.deleted': subscriptionNews,
  'charge.refunded': chargeNews,
  'charge.dispute.created': disputeNews,
  'charge.dispute.closed': disputeNews,
};

/** The types that a webhook endpoint at Stripe must be switched on for. */
export const EVENT_TYPES = Object.keys(READERS);

/** Undefined for a type that is not of interest; throws a ZodError when the event's object cannot be read. */
export function readStripeEvent(event: Envelope, object: unknown): StripeNews | undefined {
  const reader = Object.hasOwn(READERS, event.type) ? READERS[event.type] : undefined;
  return reader?.(object, event);
}

function intentNews(object: unknown, { type }: Envelope): StripeNews {
  const intent = intentSchema.parse(object);
  const { id, currency, status } = intent;
  const amount = receivedBy(intent);
  const says =
    status === 'succeeded'
      ? PAID
      : status === 'processing'
        ? ({ status, refused: false } as const)
        : ({ ...SILENT, refused: true } as const);
  return {
    mark: { paymentId: id },
    sum: { amount, currency, first: true },
    ...contradicting(type === 'payment_intent.succeeded', status, 'succeeded'),
    says,
    ask: status !== 'succeeded',
    cause: status === 'requires_payment_method' ? 'payment refused' : `payment ${status}`,
  };
}

/** A payment or a bill is paid when its own status says so, whatever the event about it is called. */
function contradicting(
  paid: boolean,
  status: string | null | undefined,
  ifPaid: string,
): Pick<StripeNews, 'contradiction'> {
  return paid === (status === ifPaid)
    ? {}
    : { contradiction: `its status is ${status ?? 'not given'}` };
}

function invoiceNews(object: unknown, became: 'paid' | 'failed' | 'waiting'): StripeNews {
  const invoice = invoiceSchema.parse(object);
  const details = invoice.parent?.subscription_details;
  const first = invoice.billing_reason === 'subscription_create';
  const paid = became === 'paid';
  const amount = paid ? invoice.amount_paid : invoice.amount_due;
  const bill = {
    id: invoice.id,
    createdAt: invoice.created * 1000,
    amount: cents(amount),
    paid,
    renewal: !first,
    ...detailsOf(object),
  };
  const attempt: PaymentState =
    became === 'waiting'
      ? { status: 'requires_action', refused: false }
      : { status: 'requires_payment_method', refused: true };
  const words = { paid: 'paid', failed: 'payment refused', waiting: 'the bank asks the customer' };
  return {
    mark: {
      ...details?.metadata,
      ...(details?.subscription ? { subscriptionId: details.subscription } : {}),
    },
    sum: { amount, currency: invoice.currency, first },
    ...contradicting(paid, invoice.status, 'paid'),
    says: paid ? { ...PAID, invoices: [bill] } : first ? attempt : { ...SILENT, invoices: [bill] },
    ask: !paid,
    cause: `${first ? 'first invoice' : 'renewal'}: ${words[became]}`,
  };
}

function subscriptionNews(object: unknown, { created }: Envelope): StripeNews {
  const subscription = subscriptionSchema.parse(object);
  const { id, status, metadata: mark, latest_invoice } = subscription;
  const overdue = (status === 'past_due' || status === 'unpaid') && latest_invoice;
  const invoices = overdue
    ? [{ id: overdue, createdAt: created * 1000, amount: cents(0), paid: false, renewal: true }]
    : [];
  return {
    mark: { ...mark, subscriptionId: id },
    sum: null,
    says: { ...SILENT, invoices, ...subscriptionState(subscription) },
    ask: true,
    cause: `subscription is ${status.replaceAll('_', ' ')}`,
  };
}

function chargeNews(object: unknown): StripeNews {
  const { id, amount, amount_refunded, currency, payment_intent } = chargeSchema.parse(object);
  return {
    mark: { chargeId: id, ...(payment_intent ? { paymentId: payment_intent } : {}) },
    sum: { amount, currency, first: false },
    says: { ...PAID, charges: [{ id, amount: cents(amount), refunded: cents(amount_refunded) }] },
    ask: true,
    cause: amount_refunded < amount ? 'part of the payment refunded' : 'payment refunded',
  };
}

function disputeNews(object: unknown): StripeNews {
  const { id, charge, payment_intent, amount, status, reason } = disputeSchema.parse(object);
  const dispute = disputeState(status);
  const why =
    dispute === 'open' ? `opened (${reason ?? 'no reason given'})` : status.replaceAll('_', ' ');
  return {
    mark: {
      ...(charge ? { chargeId: charge } : {}),
      ...(payment_intent ? { paymentId: payment_intent } : {}),
    },
    sum: null,
    says: {
      ...PAID,
      charges: [{ id: charge ?? id, amount: cents(amount), refunded: cents(0), dispute }],
    },
    ask: true,
    cause: `dispute ${why}`,
  };
}
