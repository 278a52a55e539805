import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Routable, routeStripe } from './playwright-route.ts';
import { fieldHtml } from './stand-in-field.ts';
import { stripeJsStandIn } from './stripe-js-stand-in.ts';
import { openShop, type Shop, secretOf, subscribe } from './test-kit.ts';

type Handler = Parameters<Routable['route']>[1];
type Fulfilment = Parameters<Parameters<Handler>[0]['fulfill']>[0];

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.fake.close());

/** A browser context reduced to its interception. */
const intercepted = async () => {
  const handlers: { url: RegExp; handler: Handler }[] = [];
  const traffic = await routeStripe(
    {
      route: async (url, handler) => {
        handlers.push({ url, handler });
      },
    },
    shop.fake,
  );
  const ask = async (
    url: string,
    method = 'GET',
    payload: object | null = null,
  ): Promise<Fulfilment> => {
    let answer: Fulfilment | undefined;
    const request = {
      url: () => url,
      method: () => method,
      postData: () => (payload === null ? null : JSON.stringify(payload)),
    };
    const found = handlers.find((entry) => entry.url.test(url));
    await found?.handler({
      request: () => request,
      fulfill: async (given) => {
        answer = given;
      },
    });
    if (answer === undefined) throw new Error(`not intercepted: ${url}`);
    return answer;
  };
  return { ask, traffic };
};

it('serves a script that parses, and none of what the page policy forbids', () => {
  expect(() => new Script(stripeJsStandIn)).not.toThrow();
  expect(stripeJsStandIn).not.toMatch(
    /innerHTML|insertAdjacentHTML|document\.write|setAttribute\('style'|\beval\b|new Function/,
  );
  expect(() => new Script(/<script>([\s\S]*)<\/script>/.exec(fieldHtml)?.[1] ?? '(')).not.toThrow();
});

it('loads as Stripe.js, refusing what it does not model', () => {
  const window: { Stripe?: (key: string) => Record<string, () => unknown> } = {};
  new Script(stripeJsStandIn).runInNewContext({ window });
  expect(window.Stripe).toHaveProperty('version', 'endive');
  const stripe = window.Stripe?.('pk_test_standIn') ?? {};
  for (const name of [
    'elements',
    'createToken',
    'createPaymentMethod',
    'confirmCardPayment',
    'confirmCardSetup',
    'retrievePaymentIntent',
    '_registerWrapper',
    'registerAppInfo',
  ]) {
    expect(stripe[name]).toBeTypeOf('function');
  }
  expect(() => stripe.createToken?.()).toThrow('not modelled');
  expect(() => window.Stripe?.('sk_test_x')).toThrow('publishable');
});

it('keeps a card for later, and asks its holder', async () => {
  const { ask } = await intercepted();
  const { client_secret } = await shop.stripe.setupIntents.create({
    customer: shop.customer.id,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
  const key = shop.fake.publishableKey;
  const call = async (name: string, payload: object) => {
    const url = `https://api.stripe.com/__stand_in/${name}`;
    const { body = '' } = await ask(url, 'POST', { key, client_secret, ...payload });
    return JSON.parse(body);
  };
  const { id: token } = await call('tokens', { number: '4000002760003184' });
  expect(await call('confirm', { token })).toMatchObject({
    setupIntent: { status: 'requires_action' },
  });
  await call('authenticate', { approve: true });
  expect(await call('retrieve', {})).toMatchObject({ setupIntent: { status: 'succeeded' } });
  expect(shop.fake.sawDigits('4000002760003184')).toBe(false);
});

it('carries the page’s calls to the fake, and answers everything at Stripe itself', async () => {
  const { ask, traffic } = await intercepted();
  expect((await ask('https://js.stripe.com/endive/stripe.js')).body).toContain(
    'window.Stripe = Stripe',
  );
  expect((await ask('https://js.stripe.com/v3/')).status).toBe(404);
  expect((await ask('https://m.stripe.network/inner.html')).status).toBe(404);
  const key = shop.fake.publishableKey;
  const at = (name: string): string => `https://api.stripe.com/__stand_in/${name}`;
  expect((await ask(at('confirm'), 'OPTIONS')).status).toBe(204);
  const secret = secretOf(await subscribe(shop));
  const token = JSON.parse(
    (await ask(at('tokens'), 'POST', { key, number: '4000002500003155' })).body ?? '',
  ) as { id: string };
  const waiting = await ask(at('confirm'), 'POST', { key, client_secret: secret, token: token.id });
  expect(JSON.parse(waiting.body ?? '')).toMatchObject({
    paymentIntent: { status: 'requires_action' },
  });
  const again = await ask(at('confirm'), 'POST', { key, client_secret: secret, token: token.id });
  expect(again.body).toContain('incorrect_number');
  await ask(at('authenticate'), 'POST', { key, client_secret: secret, approve: true });
  const end = await ask(at('retrieve'), 'POST', { key, client_secret: secret });
  expect(JSON.parse(end.body ?? '')).toMatchObject({ paymentIntent: { status: 'succeeded' } });
  const stranger = await ask(at('retrieve'), 'POST', {
    key: 'pk_test_other',
    client_secret: secret,
  });
  expect(stranger.body).toContain('Invalid API Key');
  expect(traffic.requested).toHaveLength(10);
  expect(shop.fake.sawDigits('4000002500003155')).toBe(false);
  expect(JSON.stringify(shop.fake.browserRequests)).not.toContain('4000002500003155');
});
