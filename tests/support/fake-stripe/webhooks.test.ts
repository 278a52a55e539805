import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openShop, type Shop, secretOf, subscribe } from './test-kit.ts';

let shop: Shop;
let server: Server;
let url: string;
/** Of each event that was received, in order; null for one that the SDK does not believe. */
let received: (string | null)[];

const idOf = (body: string, signature: string): string | null => {
  try {
    return shop.stripe.webhooks.constructEvent(body, signature, shop.fake.webhookSecret).id;
  } catch {
    return null;
  }
};

beforeEach(async () => {
  shop = await openShop();
  received = [];
  server = createServer(async (request, response) => {
    received.push(idOf(await text(request), String(request.headers['stripe-signature'])));
    response.writeHead(received.at(-1) ? 200 : 400).end();
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

it('signs so that the SDK believes it, and delivers what the test chooses, as often as it chooses', async () => {
  await pay();
  const chosen = ['invoice.paid', 'customer.subscription.created'].flatMap(shop.fake.eventsOf);
  const answers = await shop.fake.deliver(chosen, { to: url, times: 2 });
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const ids = chosen.map(({ id }) => id);
  expect(received).toEqual([...ids, ...ids]);
  const [paid] = chosen;
  const body = paid?.body ?? '';
  expect(idOf(JSON.stringify(JSON.parse(body)), paid?.signature() ?? '')).toBeNull();
  expect(idOf(body, paid?.signature('whsec_other') ?? '')).toBeNull();
  const elsewhere = shop.fake.deliver(chosen, { to: 'https://example.com/hook' });
  await expect(elsewhere).rejects.toThrow('loopback');
});

it('delivers by itself when told where to', async () => {
  shop.fake.autoDeliver({ url, secret: shop.fake.webhookSecret });
  const before = shop.fake.events.length;
  await pay();
  await shop.fake.settled();
  expect(received).toEqual(shop.fake.events.slice(before).map(({ id }) => id));
  shop.fake.autoDeliver({ url, secret: 'whsec_other' });
  await pay();
  await shop.fake.settled();
  expect(received.at(-1)).toBeNull();
});

it('lists its events of a kind and since a time, newest first, page by page', async () => {
  await pay();
  const types = ['customer.subscription.created', 'invoice.paid'];
  const since = shop.fake.events[0]?.created ?? 0;
  const found: string[] = [];
  for await (const { type } of shop.stripe.events.list({
    types,
    created: { gte: since },
    limit: 1,
  }))
    found.push(type);
  expect(found).toEqual(types.toReversed());
  const later = await shop.stripe.events.list({ types, created: { gte: since + 100 } });
  expect(later.data).toEqual([]);
});
