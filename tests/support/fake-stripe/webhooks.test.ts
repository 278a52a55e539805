import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openShop, type Shop, secretOf, subscribe } from './test-kit.ts';

interface Received {
  body: string;
  signature: string;
}

let shop: Shop;
let server: Server;
let url: string;
let received: Received[];

beforeEach(async () => {
  shop = await openShop();
  received = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    const hook = {
      body: Buffer.concat(chunks).toString('utf8'),
      signature: String(request.headers['stripe-signature']),
    };
    received.push(hook);
    try {
      shop.stripe.webhooks.constructEvent(hook.body, hook.signature, shop.fake.webhookSecret);
      response.writeHead(200).end('{"received":true}');
    } catch {
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  await shop.fake.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const pay = async (): Promise<void> => {
  shop.fake.confirmCard(secretOf(await subscribe(shop)), '4242424242424242');
};

it('signs so that the SDK believes it, and not otherwise', async () => {
  await pay();
  const event = shop.fake.eventsOf('invoice.paid')[0];
  if (event === undefined) throw new Error('no event');
  const { webhooks } = shop.stripe;
  const secret = shop.fake.webhookSecret;
  const read = webhooks.constructEvent(event.body, event.signature(), secret);
  expect(read).toMatchObject({
    id: event.id,
    type: 'invoice.paid',
    api_version: '2026-10-28.endive',
    livemode: false,
  });
  expect(event.body).toContain('\n  "object": "event"');
  const bad = Stripe.errors.StripeSignatureVerificationError;
  expect(() => webhooks.constructEvent(event.body, event.signature({ bad: true }), secret)).toThrow(
    bad,
  );
  expect(() =>
    webhooks.constructEvent(event.body, event.signature({ secret: 'whsec_other' }), secret),
  ).toThrow(bad);
  expect(() =>
    webhooks.constructEvent(JSON.stringify(JSON.parse(event.body)), event.signature(), secret),
  ).toThrow(bad);
  const old = Math.floor(Date.now() / 1000) - 301;
  expect(() =>
    webhooks.constructEvent(event.body, event.signature({ timestamp: old }), secret),
  ).toThrow('tolerance');
  const rolled = event.signature({ secret: ['whsec_new', secret] });
  expect(webhooks.constructEvent(event.body, rolled, secret).id).toBe(event.id);
});

it('delivers what the test chooses, as often and in the order it chooses', async () => {
  await pay();
  const chosen = [
    ...shop.fake.eventsOf('invoice.paid'),
    ...shop.fake.eventsOf('customer.subscription.created'),
  ];
  const answers = await shop.fake.deliver(chosen, { to: url, times: 2 });
  expect(answers.map((answer) => [answer.type, answer.status])).toEqual([
    ['invoice.paid', 200],
    ['customer.subscription.created', 200],
    ['invoice.paid', 200],
    ['customer.subscription.created', 200],
  ]);
  expect(received[0]?.body).toBe(chosen[0]?.body);
  const [first] = chosen;
  if (first === undefined) throw new Error('no event');
  expect(await shop.fake.deliver(first, { to: url, badSignature: true })).toMatchObject([
    { status: 400 },
  ]);
  expect(await shop.fake.deliver(first, { to: url, timestamp: 1 })).toMatchObject([
    { status: 400 },
  ]);
  await expect(shop.fake.deliver(first, { to: 'https://example.com/hook' })).rejects.toThrow(
    'loopback',
  );
});

it('delivers by itself when told where to', async () => {
  shop.fake.autoDeliver({ url, secret: shop.fake.webhookSecret });
  const before = shop.fake.events.length;
  await pay();
  await shop.fake.settled();
  expect(shop.fake.deliveries.map((delivery) => delivery.eventId)).toEqual(
    shop.fake.events.slice(before).map((event) => event.id),
  );
  expect(shop.fake.deliveries.every((delivery) => delivery.status === 200)).toBe(true);
});

it('lists its events, newest first, with the request behind them', async () => {
  await subscribe(shop, { idempotencyKey: 'order-7' });
  const { data } = await shop.stripe.events.list({ type: 'customer.subscription.*' });
  expect(data).toMatchObject([
    { type: 'customer.subscription.created', request: { idempotency_key: 'order-7' } },
  ]);
  expect(await shop.stripe.events.retrieve(data[0]?.id ?? '')).toMatchObject({
    data: { object: { status: 'incomplete' } },
  });
});
