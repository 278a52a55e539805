/** Whatever hangs at Stripe, a visitor reads it within eight seconds and can try again. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Fault } from '../../support/fake-stripe/http-server.ts';
import { ownPage, shownPrice } from '../../support/own-page.ts';
import { order, paidOrder, sharedShop, submit } from '../../support/stripe-shop.ts';
import { answerWithin } from './simulated-wait.ts';

const shop = sharedShop();
beforeAll(() => shop.fake.autoDeliver(shop.webhook));
afterEach(() => shop.fake.clearFaults());

function newBuyer() {
  const [visitor, key] = [shop.app.visitor(), randomUUID()];
  return () => submit(visitor, { email: `${key}@example.com` }, key);
}

async function customer() {
  const { visitor, orderId } = await paidOrder(shop);
  return ownPage(shop.app, orderId, visitor);
}

const FEWER = { users: 10, backup: true, from: { users: 20, backup: true } };

/** What a visitor presses, made ready while Stripe is well; one end of waiting serves all calls. */
const PRESSES: [string, Fault['how'], () => Promise<() => Promise<{ status: number }>>][] = [
  ['pays', 'hang', async () => newBuyer()],
  [
    'returns from paying',
    'trickle',
    async () => {
      const { visitor, orderId } = await order(shop);
      return () => visitor.post(`/api/orders/${orderId}/update-status`, { status: 'processing' });
    },
  ],
  [
    'sees the price of a change',
    'slow',
    async () => {
      const { ask } = await customer();
      return () => ask('preview', FEWER);
    },
  ],
  [
    'changes the plan',
    'hang',
    async () => {
      const { ask } = await customer();
      const { json } = await ask('preview', FEWER);
      return () => ask('change', { ...FEWER, ...shownPrice(json) });
    },
  ],
  [
    'ends the plan',
    'trickle',
    async () => {
      const { ask } = await customer();
      return () => ask('cancel');
    },
  ],
  [
    'keeps the plan after all',
    'slow',
    async () => {
      const { ask } = await customer();
      expect((await ask('cancel')).status).toBe(200);
      return () => ask('keep');
    },
  ],
  [
    'replaces the card',
    'trickle',
    async () => {
      const { ask } = await customer();
      const { clientSecret } = (await ask('card')).json;
      shop.fake.confirmCard(clientSecret, '4242424242424242');
      return () => ask('card/use', { clientSecret });
    },
  ],
];

test.each(PRESSES)(
  'a visitor who %s waits at most eight seconds for Stripe (%s)',
  async (_what, how, ready) => {
    const press = await ready();
    // A slow one takes three seconds for each call.
    shop.fake.failNext({ how, ms: 3_000, times: 1_000 });
    expect([200, 503]).toContain((await answerWithin(8_000, press)).status);
    shop.fake.clearFaults();
    let status: number;
    // A busy machine may need more time than a visitor waits, who then tries again.
    do ({ status } = await press());
    while (status === 503);
    expect(status).toBe(200);
  },
);

test('a customer opens their page within eight seconds while Stripe hangs, and reads that billing is away', async () => {
  const { ask } = await customer();
  shop.fake.failNext({ how: 'hang', times: 1_000 });
  expect(await answerWithin(8_000, () => ask(''))).toMatchObject({
    status: 200,
    json: { billingUnavailable: true },
  });
});

test('a buyer who waits behind another’s look at the same order waits no longer than eight seconds', async () => {
  const { visitor, orderId } = await order(shop);
  const look = () => visitor.post(`/api/orders/${orderId}/update-status`, { status: 'processing' });
  shop.fake.failNext({ how: 'hang', times: 1_000 });
  const looks = await answerWithin(8_000, () => Promise.all([look(), look(), look(), look()]));
  expect(looks.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
});
