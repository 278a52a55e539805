/** Nothing that Stripe did not sign moves an order. */
import { describe, expect, test } from 'vitest';
import { postEvent } from '../../support/stripe-events.ts';
import { openShop, order, seenByStaff } from '../../support/stripe-shop.ts';
import { startTestApp } from '../../support/test-app.ts';

describe('the signature of an event', () => {
  test('1,000 bad ones change nothing', async () => {
    const shop = await openShop();
    const { orderId, clientSecret } = await order(shop);
    // The look at Stripe that the start makes would find the payment.
    const looked = () =>
      shop.fake.requests.some(({ path, status }) => path === '/v1/events' && status);
    await expect.poll(looked).toBe(true);
    shop.fake.confirmCard(clientSecret, '4242424242424242');
    const paid = shop.fake.events.find(({ type }) => type === 'invoice.paid');
    const body = paid?.body ?? '';
    const status = async () => (await seenByStaff(shop, orderId)).status;
    const now = Math.floor(Date.now() / 1000);
    const good = paid?.signature() ?? '';
    const kinds = [
      () => postEvent(shop, body, { secret: 'whsec_wrong' }),
      () => postEvent(shop, body, { timestamp: now - 301 }),
      () => postEvent(shop, body, { header: null }),
      () => postEvent(shop, body, { header: '' }),
      () => postEvent(shop, `${body} `, { header: good }),
      () => postEvent(shop, JSON.stringify(JSON.parse(body)), { header: good }),
      () => postEvent(shop, body, { header: good.replace(/v1=/g, 'v0=') }),
      () => postEvent(shop, body, { header: good.replace(/t=\d+/, `t=${now + 5}`) }),
      () => postEvent(shop, body, { header: `t=${now},v1=${'0'.repeat(64)}` }),
      () => postEvent(shop, body, { secret: shop.fake.secretKey }),
    ];
    for (let round = 0; round < 100; round += 1) {
      expect(await Promise.all(kinds.map((post) => post()))).toEqual(kinds.map(() => 400));
    }
    for (const nonsense of ['{', 'null', '{"object":"v2.core.event"}'])
      expect(await postEvent(shop, nonsense)).toBe(400);
    expect(await status()).toBe('pending');
    expect(await postEvent(shop, body, { header: good })).toBe(200);
    expect(await status()).toBe('paid');
    await shop.close();
  });

  test('without keys the webhook is not there yet', async () => {
    const app = await startTestApp();
    const { status } = await app.visitor().post('/api/stripe/webhook', {});
    expect(status).toBe(503);
    await app.stop();
  });
});
