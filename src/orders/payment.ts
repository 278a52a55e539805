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
