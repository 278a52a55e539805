/** However long the site was off, what happened at Stripe meanwhile is heard in the end. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openShop, order, type StripeShop, seenByStaff } from '../../support/stripe-shop.ts';

const DAY_MS = 24 * 60 * 60_000;
let shop: StripeShop;
/** How far Stripe's clock is behind while something happens there. */
let behind = 0;
beforeEach(async () => {
  behind = 0;
  shop = await openShop({}, { now: () => Date.now() - behind });
});
afterEach(() => shop.close());

const db = () => shop.app.database.db;

async function heardUntil(): Promise<number> {
  const row = await db().selectFrom('stripeCursors').selectAll().executeTakeFirst();
  return row?.until ?? 0;
}

/** As if the site had been off since. */
async function offFor(days: number): Promise<number> {
  await expect.poll(heardUntil).toBeGreaterThan(0);
  const until = Date.now() - days * DAY_MS;
  await db().updateTable('stripeCursors').set({ until }).execute();
  return until;
}

/** How many days back Stripe was last asked for events. */
function lookedBack(): number {
  const asked = shop.fake.requests.findLast(({ path }) => path === '/v1/events');
  const since = new URLSearchParams(asked?.raw ?? '').get('created[gte]');
  return (Date.now() / 1000 - Number(since)) / 86_400;
}

async function paidOrder() {
  const placed = await order(shop);
  shop.fake.confirmCard(placed.clientSecret, '4242424242424242');
  // All of it is heard, or asking about it later would tell of what happened since as well.
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook });
  const subscription = [...shop.fake.state.subscription.keys()].at(-1) ?? '';
  const status = async () => (await seenByStaff(shop, placed.orderId)).status;
  expect(await status()).toBe('paid');
  return { subscription, status };
}

test('what ended on the second of six days without the site', async () => {
  const { subscription, status } = await paidOrder();
  behind = 4 * DAY_MS;
  shop.fake.cancelSubscription(subscription);
  behind = 0;
  await offFor(6);
  await shop.restart();
  await expect.poll(status).toBe('canceled');
});

test('what was heard with the keys of the live mode counts for that mode alone', async () => {
  const { subscription, status } = await paidOrder();
  behind = 4 * DAY_MS;
  shop.fake.cancelSubscription(subscription);
  behind = 0;
  const until = await offFor(6);
  await db().deleteFrom('stripeCursors').execute();
  await db().insertInto('stripeCursors').values({ mode: 'live', until: Date.now() }).execute();
  await db().insertInto('stripeCursors').values({ mode: 'test', until }).execute();
  await shop.restart();
  await expect.poll(status).toBe('canceled');
});

test('no further back than Stripe keeps events, and no less than it repeats them', async () => {
  await offFor(400);
  await shop.restart();
  await expect.poll(heardUntil).toBeGreaterThan(Date.now() - DAY_MS);
  expect(lookedBack()).toBeCloseTo(30, 1);
  await shop.restart();
  await expect.poll(lookedBack).toBeCloseTo(3, 1);
});

test('nothing counts as heard while Stripe does not list its events', async () => {
  const until = await offFor(6);
  shop.fake.failNext({ how: 'status-500-kept', path: '/v1/events', times: 2 });
  const before = shop.fake.requests.length;
  await shop.restart();
  const asked = () =>
    shop.fake.requests.slice(before).filter(({ path, status }) => path === '/v1/events' && status);
  await expect.poll(asked).not.toHaveLength(0);
  const { subscription, status } = await paidOrder();
  expect(await heardUntil()).toBe(until);
  shop.fake.cancelSubscription(subscription);
  shop.fake.clearFaults();
  await shop.restart();
  await expect.poll(status).toBe('canceled');
});
