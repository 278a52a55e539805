/** Confirms a card with Stripe.js, and says what came of it. */
import type {
  PaymentIntent,
  SetupIntent,
  Stripe,
  StripeCardNumberElement,
  StripeError,
} from '@stripe/stripe-js';
import type { BillingDetails, PaymentOutcome } from '../provider-in-browser.ts';

/** Longer than a bank takes to decide. What a network swallows never answers. */
const BANK_PATIENCE_MS = 30_000;

interface EnteredCard {
  stripe: Pick<Stripe, 'confirmCardPayment' | 'confirmCardSetup' | 'handleNextAction'>;
  card: StripeCardNumberElement;
  billing: BillingDetails;
  /** What the customer reads where the card does not reach Stripe. Trying again is safe. */
  unreachable: string;
  onAuthenticating: (open: boolean) => void;
}

/** Confirms a payment (`pi_…`) or saves a card (`seti_…`), including 3-D Secure. */
export async function confirmCard(
  clientSecret: string,
  { stripe, card, billing, unreachable, onAuthenticating }: EnteredCard,
): Promise<PaymentOutcome> {
  const { name, email, phone, postalCode } = billing;
  const billing_details = {
    ...{ name, email, ...(phone && { phone }) },
    ...(postalCode && { address: { country: 'US', postal_code: postalCode } }),
  };
  const data = { payment_method: { card, billing_details } };
  const isSetup = clientSecret.startsWith('seti_');
  const notConfirmed = `Your bank did not confirm the ${isSetup ? 'card' : 'payment'}. Please try again or use another card.`;
  // In two steps, so that the dialog steps aside before Stripe opens its window.
  const options = { handleActions: false };
  const confirmed = await Promise.race<CardConfirmation | undefined>([
    isSetup
      ? stripe.confirmCardSetup(clientSecret, data, options)
      : stripe.confirmCardPayment(clientSecret, data, options),
    new Promise((resolve) => setTimeout(resolve, BANK_PATIENCE_MS)),
  ]);
  // It may have been: whoever is told so asks Stripe.
  if (!confirmed) return { kind: 'decided' };
  if (confirmed.error?.type === 'api_connection_error')
    return { kind: 'refused', message: unreachable };
  if ((confirmed.paymentIntent ?? confirmed.setupIntent)?.status !== 'requires_action')
    return outcomeOf(confirmed, notConfirmed);
  onAuthenticating(true);
  try {
    return outcomeOf(await stripe.handleNextAction({ clientSecret }), notConfirmed);
  } finally {
    onAuthenticating(false);
  }
}

export interface CardConfirmation {
  paymentIntent?: Pick<PaymentIntent, 'status'>;
  setupIntent?: Pick<SetupIntent, 'status'> | null;
  error?: StripeError;
}

/** Customers read Stripe's own message about their card. Any other failure is thrown. */
function outcomeOf(
  { paymentIntent, setupIntent, error }: CardConfirmation,
  notConfirmed: string,
): PaymentOutcome {
  const intent = error
    ? (error.payment_intent ?? error.setup_intent)
    : (paymentIntent ?? setupIntent);
  const isDecided = intent?.status === 'succeeded' || intent?.status === 'processing';
  const { type, code = '', message = '' } = error ?? {};
  if (!error || code.endsWith('_authentication_failure'))
    return isDecided ? { kind: 'decided' } : { kind: 'refused', message: notConfirmed };
  if (code.endsWith('_unexpected_state')) {
    if (intent?.status === 'canceled') return { kind: 'expired' };
    if (isDecided) return { kind: 'decided' };
  }
  if (type !== 'card_error' && type !== 'validation_error') throw new Error(code || type);
  return { kind: 'refused', message: message || 'There was an error processing your payment' };
}
