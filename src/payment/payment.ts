/** A payment as both providers and the browser speak of it, in the words that Stripe uses. */
import * as z from 'zod/mini';

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

/**
 * Which provider takes the payments, and the key that its script needs; `tax` when sales tax comes on top.
 * GET /api/payment-config.
 */
export type PaymentConfig =
  | { provider: 'test' }
  | { provider: 'stripe'; publishableKey: string; tax?: true };

export type Provider = PaymentConfig['provider'];

/** How a bank's dispute of a payment stands; what is won or lost stays so. */
export type Dispute = 'open' | 'won' | 'lost';

export function takesTax(config: PaymentConfig): boolean {
  return config.provider === 'stripe' && config.tax === true;
}

/** Whether the provider's ids are known: of the payment, the subscription, or both. */
export function wasStarted(order: {
  paymentId: string | null;
  subscriptionId: string | null;
}): boolean {
  return order.paymentId !== null || order.subscriptionId !== null;
}

/** The test gateway's cards: what each number stands for. The browser sends the token, never the number. */
export const TEST_CARDS = {
  '4242424242424242': 'succeeds',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000002500003155': 'asks',
} as const;
export type TestToken = (typeof TEST_CARDS)[keyof typeof TEST_CARDS];

const clientSecret = () => z.string().check(z.regex(/^[\w-]{1,200}$/));

/** POST /api/test-payments/confirm, …/answer and …/retrieve: the secret names the payment and admits to it. */
export const testConfirmRequest = z.strictObject({
  clientSecret: clientSecret(),
  token: z.enum(Object.values(TEST_CARDS)),
});
export const testAnswerRequest = z.strictObject({
  clientSecret: clientSecret(),
  approve: z.boolean(),
});
export const testRetrieveRequest = z.strictObject({ clientSecret: clientSecret() });

/** `message` says in words why a card was refused. */
export interface TestPaymentJson {
  status: PaymentStatus;
  message?: string;
}
