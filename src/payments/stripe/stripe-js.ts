/** Loads Stripe.js on first use, and asks it about payments. */
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { fetchCall } from '../../platform/fetch-call.ts';
import { GET_PAYMENT_CONFIG } from '../payment-api.ts';
import { PAYMENT_STATUSES, type RetrievedStatus } from '../provider-in-browser.ts';
import type { CardConfirmation } from './confirm-card.ts';

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string | null }): unknown;
    };
  }
}

/** The page's Trusted Types policy blocks every script URL; this admits Stripe's and no others. */
function admitStripeScripts(): void {
  window.trustedTypes?.createPolicy('default', {
    createScriptURL: (url) => (/^https:\/\/([\w-]+\.)*js\.stripe\.com\//.test(url) ? url : null),
  });
}

/** An ad blocker or a network refuses Stripe's script or frames. The server logs its name. */
export class StripeBlocked extends Error {
  override name = 'StripeBlocked';
}

/** Longer than Stripe takes on a slow phone. What is blocked often never answers. */
export const STRIPE_PATIENCE_MS = 10_000;

function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return Promise.race([
    answer,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new StripeBlocked('no answer')), STRIPE_PATIENCE_MS);
    }),
  ]);
}

/** @stripe/react-stripe-js throws without them. */
const NEEDED = ['elements', 'createToken', 'createPaymentMethod', 'confirmCardPayment'] as const;

let loading: Promise<Stripe> | undefined;
let admitted = false;

/**
 * Rejects when Stripe is refused, and the next call tries again. What only hangs may still come:
 * who waits says so meanwhile.
 */
export function stripeJs(): Promise<Stripe> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Stripe> {
  const config = await fetchCall(GET_PAYMENT_CONFIG);
  if (config.provider !== 'stripe' || config.publishableKey === undefined)
    throw new Error('Stripe does not take the payments');
  if (!admitted) admitStripeScripts();
  admitted = true;
  const stripe = await loadStripe(config.publishableKey).catch((cause: unknown) => {
    throw new StripeBlocked('the script did not load', { cause });
  });
  // What replaces the script may lack what the fields call.
  const isWhole = NEEDED.every((name) => typeof stripe?.[name] === 'function');
  if (!stripe || !isWhole) throw new StripeBlocked('the script did nothing');
  return stripe;
}

/** Returns the status of the payment, or of the card that is saved, with this secret. */
export async function retrieveStatus(clientSecret: string): Promise<RetrievedStatus> {
  const [, kind] = /^(pi|seti)_\w+_secret_\w+$/.exec(clientSecret) ?? [];
  if (!kind) return 'unknown';
  const stripe = await inTime(stripeJs());
  // It asks through a frame of Stripe's.
  const asked: Promise<CardConfirmation> =
    kind === 'pi'
      ? stripe.retrievePaymentIntent(clientSecret)
      : stripe.retrieveSetupIntent(clientSecret);
  const { paymentIntent, setupIntent, error } = await inTime(asked);
  if (error?.type === 'invalid_request_error') return 'unknown';
  if (error) throw new Error(error.code ?? error.type);
  if (setupIntent?.status === 'succeeded') return 'saved';
  const { status } = paymentIntent ?? setupIntent ?? {};
  return PAYMENT_STATUSES.find((one) => one === status) ?? 'requires_payment_method';
}

/** Opens the bank's window again if the payment waits for it. The return page learns the rest. */
export async function continuePayment(clientSecret: string): Promise<void> {
  if ((await retrieveStatus(clientSecret)) !== 'requires_action') return;
  await (await stripeJs()).handleNextAction({ clientSecret });
}
