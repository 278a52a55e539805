/** A payment as all providers and the browser speak of it, in the words that Stripe uses. */
export const PAYMENT_STATUSES = [
  'requires_payment_method',
  'requires_action',
  'processing',
  'succeeded',
  'canceled',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What a provider says of a client secret; 'unknown': it has no payment with it. */
export type Retrieved = PaymentStatus | 'unknown';

export const PROVIDERS = ['test', 'stripe'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** How a bank's dispute of a payment stands; what is won or lost stays so. */
export const DISPUTES = ['open', 'won', 'lost'] as const;
export type Dispute = (typeof DISPUTES)[number];

/** Whether the provider's ids are known: of the payment, the subscription, or both. */
export function wasStarted(order: {
  paymentId: string | null;
  subscriptionId: string | null;
}): boolean {
  return order.paymentId !== null || order.subscriptionId !== null;
}

/** How an attempt to pay ended in the browser, whichever provider's fields were used. */
export type PaymentOutcome =
  /** The provider has decided or is deciding; the return address tells which. */
  | { kind: 'decided' }
  /** Turned down, with the reason in words for the customer; another card may do. */
  | { kind: 'refused'; message: string }
  /** Nobody paid for so long that the provider has closed the payment; a new one is needed. */
  | { kind: 'expired' };

/** What the payment form needs of a provider's card fields. */
export interface CardEntry {
  /** Whether everything is filled in; shows what is missing at the fields and moves focus there if not. */
  check(): boolean;
  confirm(clientSecret: string, billing: Billing): Promise<PaymentOutcome>;
}

export interface Billing {
  name: string;
  email: string;
  phone: string | null;
  /** For whom it is bought. */
  company: string | null;
  /** Asked for when sales tax comes on top. */
  postalCode: string | null;
}
