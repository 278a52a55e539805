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

/**
 * The test gateway's cards, all of them numbers that card companies publish for tests: what each stands for. The
 * browser sends the token, never the number.
 */
export const TEST_CARDS = {
  '4242424242424242': 'succeeds',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000002500003155': 'asks',
  '4000000000000341': 'fails_later',
  '4000056655665556': 'succeeds',
  '4012888888881881': 'succeeds',
  '4111111111111111': 'succeeds',
  '2223003122003222': 'succeeds',
  '5105105105105100': 'succeeds',
  '5200828282828210': 'succeeds',
  '5555555555554444': 'succeeds',
  '6011000990139424': 'succeeds',
  '6011111111111117': 'succeeds',
  '3056930009020004': 'succeeds',
  '3530111333300000': 'succeeds',
  '3566002020360505': 'succeeds',
  '6200000000000005': 'succeeds',
} as const;
export type TestToken = (typeof TEST_CARDS)[keyof typeof TEST_CARDS];

/** What receipts show of a card; no two of these cards end alike. */
export const TEST_ENDINGS = Object.keys(TEST_CARDS).map((number) => number.slice(-4));
