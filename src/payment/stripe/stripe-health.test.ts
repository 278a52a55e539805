/** Staff read whether keys, mode and webhook fit together, and what to do where they do not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type FakeStripe,
  startFakeStripe,
} from '../../../tests/support/fake-stripe/fake-stripe.ts';
import type { WebhookEndpointSetting } from '../../../tests/support/fake-stripe/world.ts';
import { logged } from '../../../tests/support/logged.ts';
import { stripeEnv } from '../../../tests/support/stripe-shop.ts';
import type { StripeEnv } from '../../platform/env/env.server.ts';
import { EVENT_TYPES } from './events/stripe-event.server.ts';
import { stripeClient } from './stripe-client.server.ts';
import { checkStripe } from './stripe-health.server.ts';

const URL = 'https://shop.example.com/api/stripe/webhook';
const endpoints: WebhookEndpointSetting[] = [];
let fake: FakeStripe;
beforeAll(async () => {
  fake = await startFakeStripe({ webhookEndpoints: endpoints });
});
afterAll(() => fake.close());

function check(change: Partial<StripeEnv> = {}) {
  const env = stripeEnv(fake, change);
  return checkStripe({ stripe: stripeClient(env), env, webhookUrl: URL });
}

async function checkWebhook(...settings: WebhookEndpointSetting[]) {
  endpoints.splice(0, endpoints.length, ...settings);
  return (await check()).at(-1);
}

const TEST_MODE = 'Test keys: no real card is charged';
const NO_CHARGES = 'Stripe isn’t charging cards for this account yet';

test('everything that fits', async () => {
  endpoints.splice(0, endpoints.length, { url: URL });
  expect(await check()).toEqual([
    {
      what: 'Secret key',
      ok: true,
      detail: expect.stringMatching(/^Stripe account acct_\w+$/),
    },
    { what: 'Charges', ok: true, detail: 'Turned on' },
    { what: 'Mode', ok: true, detail: TEST_MODE },
    { what: 'Webhook', ok: true, detail: URL },
  ]);
});

test('the live mode', async () => {
  expect((await check({ live: true }))[2]).toEqual({
    what: 'Mode',
    ok: true,
    detail: 'Live keys: real cards are charged',
  });
});

test('a key that Stripe does not take', async () => {
  const lines = await logged(async () => {
    expect(await check({ secretKey: 'sk_test_wrong' })).toEqual([
      {
        what: 'Secret key',
        ok: false,
        detail: 'Stripe rejected it or didn’t respond',
      },
      { what: 'Charges', ok: false, detail: NO_CHARGES },
      { what: 'Mode', ok: true, detail: TEST_MODE },
      {
        what: 'Webhook',
        ok: false,
        detail: `Stripe has no enabled webhook endpoint for ${URL}`,
      },
    ]);
  });
  expect(lines.map(({ during }) => during).sort()).toEqual(['check-keys', 'check-webhook']);
});

test('an account that may not charge cards yet', async () => {
  const env = stripeEnv(fake);
  const stripe = stripeClient(env);
  const account = await stripe.accounts.retrieveCurrent();
  stripe.accounts.retrieveCurrent = async () => ({ ...account, charges_enabled: false });
  const [key, charges] = await checkStripe({ stripe, env, webhookUrl: URL });
  expect(key?.ok).toBe(true);
  expect(charges).toEqual({ what: 'Charges', ok: false, detail: NO_CHARGES });
});

describe('the webhook', () => {
  test('is missing when only others are there, or it is disabled', async () => {
    const none = {
      what: 'Webhook',
      ok: false,
      detail: `Stripe has no enabled webhook endpoint for ${URL}`,
    };
    expect(await checkWebhook()).toEqual(none);
    expect(await checkWebhook({ url: `${URL}/other` })).toEqual(none);
    expect(await checkWebhook({ url: URL, status: 'disabled' })).toEqual(none);
  });

  test.each([
    [null, 'the account’s default version'],
    ['2024-06-20', '2024-06-20'],
  ])('in the version %j is to be made anew', async (apiVersion, version) => {
    expect(await checkWebhook({ url: URL, apiVersion })).toEqual({
      what: 'Webhook',
      ok: false,
      detail: `Its events use ${version}, which may not say which order they belong to. Replace it with an endpoint on 2026-10-28.endive.`,
    });
  });

  test('is told which events it lacks', async () => {
    const [one, other, ...enabledEvents] = EVENT_TYPES;
    expect(await checkWebhook({ url: URL, enabledEvents })).toEqual({
      what: 'Webhook',
      ok: false,
      detail: `These events are turned off for it: ${one}, ${other}`,
    });
    expect((await checkWebhook({ url: URL, enabledEvents: EVENT_TYPES }))?.ok).toBe(true);
  });

  test('is found among a hundred', async () => {
    const others = Array.from({ length: 99 }, (_, at) => ({ url: `${URL}/${at}` }));
    expect((await checkWebhook({ url: URL }, ...others))?.ok).toBe(true);
  });
});
