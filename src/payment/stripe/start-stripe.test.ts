import { expect, test } from 'vitest';
import { sharedShop, stripeEnv } from '../../../tests/support/stripe-shop.ts';
import type { StripeEnv } from '../../platform/env/env.server.ts';
import { startStripe } from './start-stripe.server.ts';

const shop = sharedShop();

test('the browser is told the key, and whether tax comes on top', () => {
  const { fake, app } = shop;
  const deps = { db: app.database.db, notify: async () => undefined };
  const start = (change: Partial<StripeEnv> = {}) =>
    startStripe(stripeEnv(fake, change), deps, 'https://shop.example');
  const provider = 'stripe';
  const config = { provider, publishableKey: fake.publishableKey };
  expect(start().config).toEqual(config);
  expect(start().gateway).toMatchObject({ provider, live: false, tax: false });
  const taxed = start({ tax: true, live: true });
  expect(taxed.config).toEqual({ ...config, tax: true });
  expect(taxed.gateway).toMatchObject({ provider, live: true, tax: true });
});
