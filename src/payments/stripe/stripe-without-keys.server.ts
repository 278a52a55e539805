/** What every site needs of Stripe, with its keys or without: its SDK is loaded with keys alone. */
import * as z from 'zod/mini';
import { contract } from '../../platform/contract.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, call } from '../../platform/http/call.server.ts';

export const SCRIPTS = 'https://js.stripe.com https://*.js.stripe.com';

/** What a page needs to name so that Stripe can be reached from it; no scripts. */
export const CONNECTIONS = {
  'frame-src': `${SCRIPTS} https://hooks.stripe.com`,
  'connect-src': 'https://api.stripe.com',
};

/** Stripe's dashboard must name this path of the site. */
export const WEBHOOK_PATH = '/api/stripe/webhook';

/** The body stays text: Stripe signs the bytes, and nothing is parsed before that is verified. */
const STRIPE_WEBHOOK = contract(`POST ${WEBHOOK_PATH}`, {
  body: z.string(),
  answer: z.strictObject({ received: z.literal(true) }),
});

export const RECEIVED = { received: true } as const;

/** Answers while another provider takes the payments. */
export const unconfiguredStripeWebhook = webhookCall(async () =>
  refuse(503, 'Stripe is not configured'),
);

export function webhookCall(
  receive: (body: string, signature: string) => Promise<Response | typeof RECEIVED>,
): Call {
  return call(
    STRIPE_WEBHOOK,
    { access: 'anyone', limit: null, signed: true },
    ({ body, headers }) => receive(body, headers.get('stripe-signature') ?? ''),
  );
}
