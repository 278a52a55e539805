/** Stripe's environment variables, the rules between them, and their settings. */
import * as z from 'zod/mini';
import {
  type AddFault,
  checkTogether,
  choice,
  privateUrl,
  textThat,
} from '../../platform/config/env-fields.server.ts';

export const stripeVariables = {
  STRIPE_SECRET_KEY: keyThatBegins('sk_', 'rk_'),
  STRIPE_PUBLISHABLE_KEY: keyThatBegins('pk_'),
  STRIPE_WEBHOOK_SECRET: keyThatBegins('whsec_'),
  STRIPE_API_URL: privateUrl(),
  STRIPE_TAX: choice('on', 'off'),
};

/** An example's, such as `sk_...`, is none. */
function keyThatBegins(...beginnings: string[]) {
  return textThat(
    (key) => /^[\w+/=-]+$/.test(key) && beginnings.some((beginning) => key.startsWith(beginning)),
    `must begin with ${beginnings.join(' or ')} and go on as Stripe shows it, without dots or brackets`,
  );
}

const variables = z.object(stripeVariables);
type StripeVariables = z.output<typeof variables>;
export type StripeSettings = NonNullable<ReturnType<typeof stripeSettings>>;

export function checkStripeVariables(env: StripeVariables, addFault: AddFault): void {
  const keys = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];
  checkTogether(env, keys, addFault);
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = env;
  if (secretKey && publishableKey && isLive(secretKey) !== isLive(publishableKey)) {
    const mode = isLive(secretKey) ? 'live' : 'test';
    addFault(
      'STRIPE_PUBLISHABLE_KEY',
      `must be of the same mode as STRIPE_SECRET_KEY, which is a ${mode} key`,
    );
  }
}

/** Null without Stripe's keys. */
export function stripeSettings({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_PUBLISHABLE_KEY: publishableKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API_URL: apiUrl,
  STRIPE_TAX: tax,
}: StripeVariables) {
  if (!secretKey || !publishableKey || !webhookSecret) return null;
  return {
    secretKey,
    publishableKey,
    /** Whether these are live keys, which charge real cards. */
    live: isLive(secretKey),
    webhookSecret,
    apiUrl: apiUrl?.origin ?? null,
    tax: tax === 'on',
  };
}

function isLive(key: string): boolean {
  return /^(sk|rk|pk)_live_/.test(key);
}
