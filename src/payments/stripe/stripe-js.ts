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
import { fetchCall } from '../../platform/old/fetch-call.ts';
import { fields, text } from '../../platform/old/read.ts';
import { GET_PAYMENT_CONFIG } from '../payment-contracts.ts';
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

let asked: Promise<Stripe> | undefined;

/** Rejects when Stripe cannot be reached; the next call tries again. */
export function stripeJs(): Promise<Stripe> {
  asked ??= load().catch((error: unknown) => {
    asked = undefined;
    throw error;
  });
  return asked;
}

let admitted = false;

/** Of Stripe alone: without its key there is nothing to load. */
const readConfig = fields<{ publishableKey: string }>({ publishableKey: text });

async function load(): Promise<Stripe> {
  const { publishableKey } = await fetchCall(GET_PAYMENT_CONFIG, readConfig);
  if (!admitted) admitStripeScripts();
  admitted = true;
  const stripe = await loadStripe(publishableKey);
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

/** What became of an attempt to pay. */
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
  if (error.code === 'payment_intent_authentication_failure') {
    return { kind: 'refused', message: NOT_CONFIRMED };
  }
  return refusedBy(error);
}

/** The same of a card that is only kept. */
export function keptOutcome({ setupIntent, error }: SetupIntentResult): PaymentOutcome {
  if (!error) {
    return setupIntent.status === 'succeeded'
      ? { kind: 'decided' }
      : { kind: 'refused', message: CARD_NOT_CONFIRMED };
  }
  if (error.code === 'setup_intent_unexpected_state') {
    return error.setup_intent?.status === 'succeeded' ? { kind: 'decided' } : { kind: 'expired' };
  }
  if (error.code === 'setup_intent_authentication_failure') {
    return { kind: 'refused', message: CARD_NOT_CONFIRMED };
  }
  return refusedBy(error);
}

/** Only Stripe's own words about the card are for the customer; any other failure is thrown. */
function refusedBy({ type, code, message }: StripeError): PaymentOutcome {
  if (type === 'card_error' || type === 'validation_error') {
    return { kind: 'refused', message: message ?? '' };
  }
  throw new Error(code ?? type);
}
