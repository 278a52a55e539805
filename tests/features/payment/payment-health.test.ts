import { describe, expect, test } from 'vitest';
import type { WebhookEndpointSetting } from '../../support/fake-stripe/world.ts';
import { eventsDuring } from '../../support/stripe-events.ts';
import { openShop, order, sharedShop } from '../../support/stripe-shop.ts';
import { startTestApp } from '../../support/test-app.ts';

const shop = sharedShop();

describe('the state of payments', () => {
  test('shows the last signed event', async () => {
    const placed = await order(shop);
    const paying = () => shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
    await shop.fake.deliver(await eventsDuring(shop, paying), { to: shop.webhook });
    const { json } = await shop.staff.get('/api/admin/payments');
    expect(json).toMatchObject({ provider: 'stripe', mode: 'test', waiting: 0 });
    expect(Date.now() - new Date(json.lastEvent.at).getTime()).toBeLessThan(60_000);
  });

  test('is checked on demand: keys, mode, webhook', async () => {
    const missing = await shop.staff.post('/api/admin/payments/check');
    const results = (json: { what: string; ok: boolean }[]) =>
      Object.fromEntries(json.map(({ what, ok }) => [what, ok]));
    expect(results(missing.json)).toEqual({
      'Secret key': true,
      Charges: true,
      Mode: true,
      Webhook: false,
    });
    const webhookEndpoints: WebhookEndpointSetting[] = [];
    const connected = await openShop({}, { webhookEndpoints });
    webhookEndpoints.push({ url: connected.webhook, enabledEvents: ['invoice.paid'] });
    const checked = await connected.staff.post('/api/admin/payments/check');
    expect(results(checked.json)).toMatchObject({ Mode: true, Webhook: false });
    expect(checked.text).toContain('charge.refunded');
    for (const apiVersion of [null, '2024-06-20']) {
      webhookEndpoints.splice(0, 1, { url: connected.webhook, enabledEvents: ['*'], apiVersion });
      const dated = await connected.staff.post('/api/admin/payments/check');
      expect(results(dated.json)).toMatchObject({ Webhook: false });
      expect(dated.text).toContain('Replace it with an endpoint on 2026-10-28.endive');
    }
    webhookEndpoints.splice(0, 1, { url: connected.webhook, enabledEvents: ['*'] });
    const mended = await connected.staff.post('/api/admin/payments/check');
    expect(results(mended.json)).toMatchObject({ Webhook: true });
    await connected.close();
  });

  test('with the test gateway says so', async () => {
    const app = await startTestApp();
    const staff = await app.staff();
    expect((await staff.get('/api/admin/payments')).json.provider).toBe('test');
    expect((await staff.post('/api/admin/payments/check')).json[0].detail).toContain(
      'test gateway',
    );
    await app.stop();
  });
});
