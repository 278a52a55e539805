/** POST /api/stripe/webhook: nothing is read before the signature has been checked over the raw bytes. */
import Stripe from 'stripe';
import { answer, refuse } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';
import { type SettleGround, settleEvent } from './settle-stripe-event.server.ts';

export const WEBHOOK_PATH = '/api/stripe/webhook';
const TOLERANCE_SECONDS = 300;

/** `secrets`: one, or two while it is being rotated. Without a ground Stripe is not configured. */
export function stripeWebhook(
  ground: (SettleGround & { secrets: readonly string[] }) | null,
): AnyCall {
  return call<string>({
    method: 'POST',
    path: WEBHOOK_PATH,
    access: 'anyone',
    limit: null,
    signed: true,
    answer: async ({ body, headers }) => {
      if (!ground) return refuse(503, 'Stripe is not configured');
      const event = verified(ground, body, headers.get('stripe-signature'));
      if (!event) return refuse(400, 'The signature is not valid');
      await settleEvent(ground, event, true);
      return answer({ received: true });
    },
  });
}

function verified(
  { stripe, secrets }: { stripe: Stripe; secrets: readonly string[] },
  body: string,
  signature: string | null,
): Stripe.Event | undefined {
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  }
  return undefined;
}

/** A signed body that is not JSON is none of Stripe's events either. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeSignatureVerificationError || error instanceof SyntaxError
  );
}
