/** Stripe's script, from Stripe's own address, loaded the first time that it is needed. */

import type { PaymentIntentResult, Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import type { PaymentStatus, Retrieved } from '../../orders/payment.ts';
import { fetchCall } from '../../platform/fetch-call.ts';
import { fields, text } from '../../platform/read.ts';
import { GET_PAYMENT_CONFIG } from '../payment-contracts.ts';
import type { PaymentOutcome } from '../payment-outcome.ts';

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

const NOT_CONFIRMED =
  'Your bank did not confirm the payment. Please try again or use another card.';

/** Only Stripe's own words about the card are for the customer; any other failure is thrown. */
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
  if (error.type === 'card_error' || error.type === 'validation_error') {
    return { kind: 'refused', message: error.message ?? '' };
  }
  throw new Error(error.code ?? error.type);
}
