/** Stripe in the browser: its script, loaded from Stripe's own address the first time that it is needed, and what becomes of a card there. */
import type {
  PaymentIntentResult,
  SetupIntentResult,
  Stripe,
  StripeCardNumberElement,
  StripeError,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { Billing, PaymentOutcome, PaymentStatus, Retrieved } from '../../orders/payment.ts';
import { fetchCall } from '../../platform/fetch-call.ts';
import { GET_PAYMENT_CONFIG } from '../payment-api.ts';
import { CARD_NOT_CONFIRMED } from './stripe-words.ts';

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
    };
  }
}

/** The page admits no script by its address alone; Stripe's loader is let through here, and nothing else. */
function admitStripeScripts(): void {
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (/^https:\/\/([\w-]+\.)*js\.stripe\.com\//.test(url) ? url : null),
  });
}

let loading: Promise<Stripe> | undefined;

/** Rejects when Stripe cannot be reached; the next call tries again. */
export function stripeJs(): Promise<Stripe> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

let admitted = false;

async function load(): Promise<Stripe> {
  const config = await fetchCall(GET_PAYMENT_CONFIG);
  if (config.provider !== 'stripe') throw new Error('Stripe does not take the payments');
  if (!admitted) admitStripeScripts();
  admitted = true;
  const stripe = await loadStripe(config.publishableKey);
  if (!stripe) throw new Error('Stripe.js gave nothing');
  return stripe;
}

/** What became of the payment with this secret, in Stripe's word. */
export async function retrieveStripePayment(clientSecret: string): Promise<Retrieved> {
  if (!/^pi_\w+_secret_\w+$/.test(clientSecret)) return 'unknown';
  const { paymentIntent, error } = await (await stripeJs()).retrievePaymentIntent(clientSecret);
  if (error?.type === 'invalid_request_error') return 'unknown';
  if (error) throw new Error(error.code ?? error.type);
  return statusOf(paymentIntent.status);
}

function statusOf(status: string): PaymentStatus {
  if (status === 'succeeded' || status === 'processing' || status === 'canceled') return status;
  return status === 'requires_action' ? status : 'requires_payment_method';
}

/** What a card is confirmed with, and where it was typed. */
export interface EnteredCard {
  stripe: Stripe;
  card: StripeCardNumberElement;
  billing: Billing;
  /** While the bank asks, what stands above the page must let Stripe's window through. */
  onAsking: (asking: boolean) => void;
}

/**
 * Pays with the card, or only keeps it for later charges: what it is for, the secret says. The bank's question to the
 * customer is part of it.
 */
export async function confirmCard(
  clientSecret: string,
  { stripe, card, billing, onAsking }: EnteredCard,
): Promise<PaymentOutcome> {
  const data = { payment_method: { card, billing_details: billingDetails(billing) } };
  if (clientSecret.startsWith('seti_')) {
    const tried = await stripe.confirmCardSetup(clientSecret, data, { handleActions: false });
    if (tried.setupIntent?.status !== 'requires_action') return keptOutcome(tried);
    const { setupIntent, error } = await asking(stripe, clientSecret, onAsking);
    return keptOutcome(error ? { error } : { setupIntent: setupIntent ?? tried.setupIntent });
  }
  const tried = await stripe.confirmCardPayment(clientSecret, data, { handleActions: false });
  if (tried.paymentIntent?.status !== 'requires_action') return outcomeOf(tried);
  const { paymentIntent, error } = await asking(stripe, clientSecret, onAsking);
  return outcomeOf(error ? { error } : { paymentIntent: paymentIntent ?? tried.paymentIntent });
}

async function asking(stripe: Stripe, clientSecret: string, onAsking: EnteredCard['onAsking']) {
  onAsking(true);
  try {
    return await stripe.handleNextAction({ clientSecret });
  } finally {
    onAsking(false);
  }
}

function billingDetails({ name, email, phone, postalCode }: Billing) {
  return {
    name,
    email,
    ...(phone ? { phone } : {}),
    ...(postalCode ? { address: { country: 'US', postal_code: postalCode } } : {}),
  };
}

const NOT_CONFIRMED =
  'Your bank did not confirm the payment. Please try again or use another card.';

/** The outcome of an attempt to pay. */
export function outcomeOf({ paymentIntent, error }: PaymentIntentResult): PaymentOutcome {
  if (!error) {
    return paymentIntent.status === 'requires_payment_method'
      ? { kind: 'refused', message: NOT_CONFIRMED }
      : { kind: 'decided' };
  }
  const status = error.payment_intent?.status;
  if (error.code === 'payment_intent_unexpected_state') {
    if (status === 'canceled') return { kind: 'expired' };
    if (status === 'succeeded' || status === 'processing') return { kind: 'decided' };
  }
  return refusedBy(error, 'payment_intent_authentication_failure', NOT_CONFIRMED);
}

/** The outcome of an attempt to keep a card. */
export function keptOutcome({ setupIntent, error }: SetupIntentResult): PaymentOutcome {
  if (!error) {
    return setupIntent.status === 'succeeded'
      ? { kind: 'decided' }
      : { kind: 'refused', message: CARD_NOT_CONFIRMED };
  }
  if (error.code === 'setup_intent_unexpected_state') {
    return error.setup_intent?.status === 'succeeded' ? { kind: 'decided' } : { kind: 'expired' };
  }
  return refusedBy(error, 'setup_intent_authentication_failure', CARD_NOT_CONFIRMED);
}

/** Customers read Stripe's own words about their card; any other failure is thrown. */
function refusedBy(
  { type, code, message }: StripeError,
  notConfirmed: string,
  words: string,
): PaymentOutcome {
  if (code === notConfirmed) return { kind: 'refused', message: words };
  if (type !== 'card_error' && type !== 'validation_error') throw new Error(code ?? type);
  return { kind: 'refused', message: message ?? '' };
}
