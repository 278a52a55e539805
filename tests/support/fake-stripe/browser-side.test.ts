import { Script } from 'node:vm';
import { expect, it } from 'vitest';
import { type Routable, routeStripe } from './playwright-route.ts';
import { fieldHtml } from './stand-in-field.ts';
import { stripeJsStandIn } from './stripe-js-stand-in.ts';
import { openShop, secretOf, subscribe } from './test-kit.ts';

type Handler = Parameters<Routable['route']>[1];
type Fulfilment = Parameters<Parameters<Handler>[0]['fulfill']>[0];

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
  // The React provider accepts an object with these.
  for (const name of ['elements', 'createToken', 'createPaymentMethod', 'confirmCardPayment'])
    expect(stripe[name]).toBeTypeOf('function');
  expect(() => stripe.createToken?.()).toThrow('not modelled');
  expect(() => window.Stripe?.('sk_test_x')).toThrow('publishable');
});

it('carries the page’s calls to the fake, and answers everything at Stripe itself', async () => {
  const shop = await openShop();
  const handlers: { url: RegExp; handler: Handler }[] = [];
  const route: Routable['route'] = async (url, handler) => handlers.push({ url, handler });
  const traffic = await routeStripe({ route }, shop.fake);
  const ask = async (url: string, method = 'GET', body = ''): Promise<Fulfilment> => {
    let answer: Fulfilment = {};
    const request = () => ({ url: () => url, method: () => method, postData: () => body });
    const fulfill = async (given: Fulfilment) => {
      answer = given;
    };
    await handlers.find((entry) => entry.url.test(url))?.handler({ request, fulfill });
    return answer;
  };
  expect((await ask('https://js.stripe.com/endive/stripe.js')).body).toContain('window.Stripe');
  expect((await ask('https://js.stripe.com/v3/')).status).toBe(404);
  expect((await ask('https://m.stripe.network/inner.html')).status).toBe(404);
  const key = shop.fake.publishableKey;
  const client_secret = secretOf(await subscribe(shop));
  const call = async (name: string, payload: object) => {
    const body = JSON.stringify({ key, client_secret, ...payload });
    return JSON.parse(
      (await ask(`https://api.stripe.com/__stand_in/${name}`, 'POST', body)).body ?? '',
    );
  };
  const { id: token } = await call('tokens', { number: '4000002500003155' });
  const waiting = { paymentIntent: { status: 'requires_action' } };
  expect(await call('confirm', { token })).toMatchObject(waiting);
  expect((await call('confirm', { token })).error.code).toBe('incorrect_number');
  await call('authenticate', { approve: true });
  expect(await call('retrieve', {})).toMatchObject({ paymentIntent: { status: 'succeeded' } });
  const stranger = await call('retrieve', { key: 'pk_test_other' });
  expect(stranger.error.message).toContain('Invalid API Key');
  expect(traffic.requested).toHaveLength(9);
  expect(shop.fake.sawDigits('4000002500003155')).toBe(false);
  expect(JSON.stringify(shop.fake.browserRequests)).not.toContain('4000002500003155');
  await shop.fake.close();
});
