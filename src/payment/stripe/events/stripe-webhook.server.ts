/** POST /api/stripe/webhook: nothing is read before the signature has been checked over the raw bytes. */
import * as z from 'zod/mini';
import type { Contract } from '../../../platform/contract.ts';
import { refuse } from '../../../platform/http/answer.server.ts';
import { type Call, call } from '../../../platform/http/call.server.ts';

/** Checked and parsed only after the signature. */
const signedText = z.string();
const received = z.strictObject({ received: z.literal(true) });

export const STRIPE_WEBHOOK: Contract<typeof signedText, typeof received> =
  'POST /api/stripe/webhook';

/** `receive` tells whether the signature was valid; it is null where Stripe is not configured. */
export function stripeWebhook(
  receive: ((body: string, signature: string) => Promise<boolean>) | null,
): Call {
  return call(STRIPE_WEBHOOK, {
    access: 'anyone',
    limit: null,
    signed: true,
    body: signedText,
    answer: received,
    handle: async ({ body, headers }) => {
      if (!receive) return refuse(503, 'Stripe is not configured');
      const valid = await receive(body, headers.get('stripe-signature') ?? '');
      return valid ? { received: true } : refuse(400, 'The signature is not valid');
    },
  });
}
