/** Stripe in the browser: its script, loaded from Stripe's own address the first time that it is needed, and what becomes of a card there. */

import type {
  PaymentIntent,
  SetupIntent,
  Stripe,
  StripeCardNumberElement,
  StripeError,
} from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { PaymentStatus, Retrieved } from '../../orders/order.ts';
import { fetchCall } from '../../platform/fetch-call.ts';
import { type Billing, GET_PAYMENT_CONFIG, type PaymentOutcome } from '../payment-api.ts';

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
let admitted = false;

/** Rejects when Stripe cannot be reached; the next call tries again. */
export function stripeJs(): Promise<Stripe> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

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
  const isSetup = clientSecret.startsWith('seti_');
  const notConfirmed = `Your bank did not confirm the ${isSetup ? 'card' : 'payment'}. Please try again or use another card.`;
  const silent = { handleActions: false };
  const tried: Tried = isSetup
    ? await stripe.confirmCardSetup(clientSecret, data, silent)
    : await stripe.confirmCardPayment(clientSecret, data, silent);
  if ((tried.paymentIntent ?? tried.setupIntent)?.status !== 'requires_action')
    return outcomeOf(tried, notConfirmed);
  onAsking(true);
  try {
    return outcomeOf(await stripe.handleNextAction({ clientSecret }), notConfirmed);
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

/** What Stripe.js answers of a payment or a card that is kept. */
interface Tried {
  paymentIntent?: Pick<PaymentIntent, 'status'> | undefined;
  setupIntent?: Pick<SetupIntent, 'status'> | null | undefined;
  error?: StripeError | undefined;
}

/** Customers read Stripe's own words about their card; any other failure is thrown. */
function outcomeOf(
  { paymentIntent, setupIntent, error }: Tried,
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
  return { kind: 'refused', message };
}
