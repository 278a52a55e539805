/** What the provider does not do now is said in words, and changes nothing. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { NO_BACKUP } from '../../tests/support/own-page.ts';
import { notesOf, savedOrder } from '../../tests/support/saved-order.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { LINES } from '../../tests/support/test-subscription.ts';
import type { Subscriptions } from '../orders/gateway.server.ts';
import { allowAccess, receiptLink } from '../orders/order-access.server.ts';
import { getOrder } from '../orders/order-store.server.ts';
import { Cookies, newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { cents } from '../platform/money.ts';
import { accountCalls } from './account-calls.server.ts';
import type { ChangeDeps } from './change-plan.server.ts';

const app = sharedTestApp();

let gateway: ReturnType<typeof standInGateway> & { subscriptions: Subscriptions };
const notify = vi.fn<ChangeDeps['notify']>(async () => undefined);
beforeEach(() => {
  gateway = standInGateway();
  gateway.cancel.mockResolvedValue('unavailable');
  notify.mockClear();
});

const AT = () => new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
const SEATS = { users: 12, backup: true, from: NO_BACKUP };
const KEY_TOKEN = newToken();

async function page(change: object = {}) {
  const { db } = app.database;
  const order = await savedOrder(db, {
    status: 'paid',
    ms365Option: 'business_standard',
    ms365Users: 10,
    amountCents: 57_500,
    priceLines: JSON.stringify(LINES),
    ...change,
  });
  await allowAccess(db, order.id, tokenHash(KEY_TOKEN) ?? '');
  const token = new URL(await receiptLink(db, 'https://shop.example', order)).hash.slice(1);
  const addOnPrices = () =>
    ({ cloudBackup: { label: 'Cloud backup', pricePerUser: cents(495) } }) as ReturnType<
      ChangeDeps['addOnPrices']
    >;
  const calls = accountCalls({
    db,
    gateway,
    notify,
    addOnPrices,
    cookies: new Cookies(false),
  });
  const countTowardLimit = vi.fn();
  return {
    order,
    countTowardLimit,
    ask: (what: string, body: object = {}, as = token) =>
      callDirectly(calls, `POST /api/order-page${what && `/${what}`}`, {
        body: { token: as, ...body },
        headers: { cookie: `order_key=${KEY_TOKEN}` },
        countTowardLimit,
      }),
    now: () => getOrder(db, order),
  };
}

const NOT_HERE = { status: 409, json: { message: 'This can’t be done here. Please call us.' } };

const ACTS: [string, () => object, object][] = [
  ['change', () => ({ ...SEATS, at: AT(), next: 700 }), {}],
  ['cancel', () => ({}), {}],
  ['keep', () => ({}), { endsAt: Date.now() + 86_400_000 }],
  ['card/use', () => ({ clientSecret: 'seti_1_secret_x' }), {}],
];

describe('while the provider does not answer', () => {
  test('the page shows the order and its payments, and says that billing is unavailable', async () => {
    const { ask } = await page();
    expect(await ask('')).toMatchObject({
      status: 200,
      json: { billingUnavailable: true, running: null, payments: [], order: { ms365Users: 10 } },
    });
  });

  test.each(ACTS)('%s answers 503 with words, and changes nothing', async (what, body, state) => {
    const { ask, order, now, countTowardLimit } = await page(state);
    const answered = await ask(what, body());
    const message = 'Payments are unavailable right now. Please try again.';
    expect([answered.status, answered.json.message]).toEqual([503, message]);
    expect(await now()).toEqual(order);
    expect(countTowardLimit).toHaveBeenCalledTimes(1);
    expect(notify).not.toHaveBeenCalled();
  });
});

test('what the provider refuses is said in its words', async () => {
  const refused = { refused: 'Your card was declined.' };
  Object.assign(gateway.subscriptions, {
    finishCard: async () => refused,
    resume: async () => refused,
  });
  gateway.cancel.mockResolvedValue(refused);
  const { ask } = await page();
  for (const [what, body] of [
    ['card/use', { clientSecret: 'seti_1' }],
    ['cancel', {}],
  ] as const)
    expect(await ask(what, body)).toMatchObject({
      status: 409,
      json: { message: refused.refused },
    });
  const ending = await page({ endsAt: Date.now() });
  expect(await ending.ask('keep')).toMatchObject({
    status: 409,
    json: { message: refused.refused },
  });
});

test('a plan that is over, or another provider’s, is not touched', async () => {
  const over = await page({ status: 'canceled' });
  const foreign = await page({ provider: 'test' });
  for (const what of ['cancel', 'keep', 'card', 'card/use']) {
    const body = what === 'card/use' ? { clientSecret: 'seti_1' } : {};
    const message = 'This plan isn’t running any more.';
    expect(await over.ask(what, body)).toMatchObject({ status: 409, json: { message } });
    expect(await foreign.ask(what, body)).toMatchObject(NOT_HERE);
  }
  expect((await foreign.ask('')).json).toMatchObject({ billingUnavailable: false, running: null });
  expect(gateway.cancel).not.toHaveBeenCalled();
});

test('another card is noted and notifies once, however often it is used', async () => {
  const card = { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2029 };
  const standing = { periodEnd: Date.now(), next: null, card };
  Object.assign(gateway.subscriptions, {
    getSubscription: async () => standing,
    finishCard: async () => 'done',
  });
  const { ask, order } = await page();
  for (const times of [1, 2]) {
    const used = await ask('card/use', { clientSecret: 'seti_1_secret_x' });
    expect([times, used.status]).toEqual([times, 200]);
  }
  expect(notify.mock.calls.map(([, kind, id]) => [kind.kind, id])).toEqual([
    ['order-card-replaced', order.id],
  ]);
  const replaced = 'The customer replaced the card: Visa ending in 4242';
  expect(
    (await notesOf(app.database.db, order.id)).filter((note) => note === replaced),
  ).toHaveLength(1);
});

test('an address for receipts has a few lines, and goes when it is empty', async () => {
  const { ask, now } = await page();
  const address = '12 Peachtree Street\nSmyrna, GA 30080';
  expect((await ask('address', { address })).json.billingAddress).toBe(address);
  expect((await now()).billingAddress).toBe(address);
  expect((await ask('address', { address: ' ' })).json.billingAddress).toBeNull();
  await expect(ask('address', { address: '1\n2\n3\n4\n5\n6\n7' })).rejects.toThrow('6 lines');
  await expect(ask('address', { address: 'x'.repeat(301) })).rejects.toThrow('300');
});
