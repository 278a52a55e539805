/** POST /api/stripe/webhook: nothing is read before the signature has been checked over the raw bytes. */
import { answer, refuse } from '../platform/answer.server.ts';
import { type AnyCall, call } from '../platform/call.server.ts';

export const WEBHOOK_PATH = '/api/stripe/webhook';

/** `receive` tells whether the signature was valid; it is null where Stripe is not configured. */
export function stripeWebhook(
  receive: ((body: string, signature: string) => Promise<boolean>) | null,
): AnyCall {
  return call<string>({
    method: 'POST',
    path: WEBHOOK_PATH,
    access: 'anyone',
    limit: null,
    signed: true,
    answer: async ({ body, headers }) => {
      if (!receive) return refuse(503, 'Stripe is not configured');
      const valid = await receive(body, headers.get('stripe-signature') ?? '');
      return valid ? answer({ received: true }) : refuse(400, 'The signature is not valid');
    },
  });
}
