import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openShop, type Shop, secretOf, subscribe } from './test-kit.ts';

interface Received {
  body: string;
  /** Whether the SDK believes its signature. */
  believed: boolean;
}

let shop: Shop;
let server: Server;
let url: string;
let received: Received[];

beforeEach(async () => {
  shop = await openShop();
  received = [];
  server = createServer(async (request, response) => {
    const body = await text(request);
    const signature = String(request.headers['stripe-signature']);
    let believed = true;
    try {
      shop.stripe.webhooks.constructEvent(body, signature, shop.fake.webhookSecret);
    } catch {
      believed = false;
    }
    received.push({ body, believed });
    response.writeHead(believed ? 200 : 400).end();
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
  const other = event.signature('whsec_other');
  expect(() => webhooks.constructEvent(event.body, other, secret)).toThrow(bad);
  const squeezed = JSON.stringify(JSON.parse(event.body));
  expect(() => webhooks.constructEvent(squeezed, event.signature(), secret)).toThrow(bad);
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
  await expect(shop.fake.deliver(chosen, { to: 'https://example.com/hook' })).rejects.toThrow(
    'loopback',
  );
});

it('delivers by itself when told where to', async () => {
  shop.fake.autoDeliver({ url, secret: shop.fake.webhookSecret });
  const before = shop.fake.events.length;
  await pay();
  await shop.fake.settled();
  const posted = received.map(({ body }) => JSON.parse(body).id);
  expect(posted).toEqual(shop.fake.events.slice(before).map((event) => event.id));
  expect(received.every(({ believed }) => believed)).toBe(true);
  shop.fake.autoDeliver({ url, secret: 'whsec_other' });
  await pay();
  await shop.fake.settled();
  expect(received.at(-1)?.believed).toBe(false);
});

it('lists its events of a kind and since a time, newest first, page by page', async () => {
  await pay();
  const types = ['customer.subscription.created', 'invoice.paid'];
  const since = shop.fake.events[0]?.created ?? 0;
  const list = { types, created: { gte: since }, limit: 1 };
  const found: string[] = [];
  for await (const { type } of shop.stripe.events.list(list)) found.push(type);
  expect(found).toEqual(types.toReversed());
  const later = await shop.stripe.events.list({ types, created: { gte: since + 100 } });
  expect(later.data).toEqual([]);
});
