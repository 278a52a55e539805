/** How customers pay, as the environment names it: the keys of Stripe, or the test gateway where that is meant. */
import { isLoopback } from '../http/loopback.server.ts';
import type { Reader } from './env-reader.server.ts';

export function readStripe(read: Reader) {
  const api = read.url('STRIPE_API_URL', ['http:', 'https:']);
  if (api?.protocol === 'http:' && !isLoopback(api.hostname)) {
    read.faults.push('STRIPE_API_URL must begin with https:// (http:// on loopback only)');
  }
  const tax = read.choice('STRIPE_TAX', ['on', 'off']) === 'on';
  const keys = read.together([
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ]);
  if (!keys) return null;
  const expected = { STRIPE_SECRET_KEY: /^(sk|rk)_/, STRIPE_PUBLISHABLE_KEY: /^pk_/ };
  for (const [name, pattern] of Object.entries(expected)) {
    const value = read.text(name);
    if (value && !pattern.test(value))
      read.faults.push(`${name} must begin with ${pattern.source.slice(1)}`);
  }
  const live = isLive(keys.STRIPE_SECRET_KEY);
  if (keys.STRIPE_PUBLISHABLE_KEY && live !== isLive(keys.STRIPE_PUBLISHABLE_KEY)) {
    read.faults.push(
      `STRIPE_PUBLISHABLE_KEY must be of the same mode as STRIPE_SECRET_KEY, which is a ${live ? 'live' : 'test'} key`,
    );
  }
  const webhookSecrets = keys.STRIPE_WEBHOOK_SECRET.split(',').map((secret) => secret.trim());
  if (
    webhookSecrets.some((secret) => secret !== '' && !secret.startsWith('whsec_')) ||
    webhookSecrets.length > 2
  ) {
    read.faults.push(
      'STRIPE_WEBHOOK_SECRET must begin with whsec_ (two of them, with a comma, during a rotation)',
    );
  }
  return {
    secretKey: keys.STRIPE_SECRET_KEY,
    publishableKey: keys.STRIPE_PUBLISHABLE_KEY,
    /** Whether these are the live keys, with which real cards are charged. */
    live,
    /** One secret, or two while it is being rotated. */
    webhookSecrets,
    apiUrl: api?.origin ?? null,
    tax,
  };
}

function isLive(key: string): boolean {
  return /^(sk|rk|pk)_live_/.test(key);
}

/** Whether the operator has said that the test gateway may stand where customers come. */
export function readPayments(read: Reader, publicUrl: string | null, stripe: boolean): boolean {
  const test = read.choice('PAYMENTS', ['test']) === 'test';
  if (test && stripe) {
    read.faults.push('PAYMENTS must not be test while the keys of Stripe are set');
  }
  if (!test && !stripe && publicUrl?.startsWith('https:')) {
    read.faults.push(
      'PAYMENTS is missing: without the keys of Stripe plans would be sold that nobody pays for' +
        ' (PAYMENTS=test says that this is meant)',
    );
  }
  return test;
}
