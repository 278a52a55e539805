/** A new price at Stripe: what customers were told is what Stripe charges, from that renewal on. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { Notify } from '../../../src/notifications/notification.server.ts';
import { stripeClient } from '../../../src/payments/stripe/stripe-client.server.ts';
import { stripeGateway } from '../../../src/payments/stripe/stripe-gateway.server.ts';
import { setUpPriceChanges } from '../../../src/payments/stripe/stripe-price-changes.server.ts';
import { contentWith } from '../../support/content-folder.ts';
import { linkOf, shownPrice } from '../../support/own-page.ts';
import { pricesPage, RISING } from '../../support/price-site.ts';
import { notesOf } from '../../support/saved-order.ts';
import {
  countEmails,
  paidOrder,
  rowOf,
  sharedShop,
  stripeEnv,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const HOUR_MS = 3_600_000;
const shop = sharedShop(WITH_MAIL, {}, contentWith(RISING));

let told: string[] = [];
beforeEach(() => {
  told = [];
  shop.fake.autoDeliver(shop.webhook);
  shop.fake.clearFaults();
});
const notify: Notify = async (_trx, { kind }) => void told.push(kind);

/** Runs the interval as it runs at that time. */
async function setUpAt(time: number) {
  const stripe = stripeClient(stripeEnv(shop.fake));
  const { db } = shop.app.database;
  const gateway = stripeGateway(stripe, stripeEnv(shop.fake), db);
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  await setUpPriceChanges({ stripe, db, gateway, notify }, () => false);
  vi.useRealTimers();
  await shop.fake.settled();
}

/** Essential with 20 users and backup, which costs 450 + 20 × (12.50 + 4.95). */
async function announced() {
  const started = await paidOrder(shop, { planId: 1, amount: 799 });
  const { orderId } = started;
  const prices = pricesPage(() => shop.staff);
  const row = () => prices.row(orderId);
  expect((await prices.give([orderId])).done).toBe(1);
  const { after, price } = await row();
  const subscription = await subscriptionOf(shop, started);
  const { token } = await linkOf(shop.app, orderId);
  return {
    started,
    orderId,
    subscription,
    row,
    after: Math.round(after * 100),
    effectiveAt: Date.parse(price.effectiveAt),
    periodEnd: () =>
      (shop.fake.state.subscription.get(subscription)?.items.data[0]?.current_period_end ?? 0) *
      1000,
    renew: async () => {
      const invoice = shop.fake.renew(subscription, { pay: true });
      await shop.fake.settled();
      return invoice?.amount_paid;
    },
    ask: (what: string, more: object = {}) =>
      started.visitor.post(`/api/order-page/${what}`, { token, ...more }),
    notes: () => notesOf(shop.app.database.db, orderId),
  };
}

test('Stripe charges the announced price from the announced renewal on, for every license, and nothing in between', async () => {
  const { effectiveAt, renew, row, after, orderId, periodEnd, notes } = await announced();
  expect(after).toBe(47_777 + 20 * (1_444 + 411));
  expect(await renew()).toBe(79_900);
  await setUpAt(effectiveAt - 7 * HOUR_MS);
  expect((await row()).price.state).toBe('announced');
  expect(periodEnd()).toBe(effectiveAt);
  await setUpAt(effectiveAt - 5 * HOUR_MS);
  expect((await row()).price.state).toBe('set-up');
  const { length: before } = shop.fake.requests;
  await setUpAt(effectiveAt - 4 * HOUR_MS);
  expect(shop.fake.requests).toHaveLength(before);
  expect(await renew()).toBe(after);
  expect((await row()).price.state).toBe('charged');
  expect((await rowOf(shop, orderId)).subscription.amountCents).toBe(after);
  expect(await renew()).toBe(after);
  expect(told).toEqual([]);
  expect(await notes()).not.toContainEqual(expect.stringContaining('Price changed'));
  expect(await countEmails(shop.app.database.db, 'order-changed', orderId)).toBe(0);
});

test('users added in between cost the old price until the day and the new one from then on', async () => {
  const { effectiveAt, renew, ask, after } = await announced();
  const wanted = { users: 30, backup: true, from: { users: 20, backup: true } };
  const shown = (await ask('preview', wanted)).json;
  expect(shown.monthly).toBe(450 + 30 * 17.45);
  expect((await ask('change', { ...wanted, ...shownPrice(shown) })).status).toBe(200);
  expect(await renew()).toBe(Math.round(shown.next.total * 100));
  await setUpAt(effectiveAt - HOUR_MS);
  expect(await renew()).toBe(after + 10 * (1_444 + 411));
});

test('after an outage over the day, the next renewal has the new price, and staff read of the one at the old', async () => {
  const { effectiveAt, renew, row, after, orderId, notes } = await announced();
  await renew();
  expect(await renew()).toBe(79_900);
  expect(await notes()).toContainEqual(
    expect.stringMatching(/^Renewal FAKE-\w+ was billed at the old price, \$799.00\./),
  );
  expect(Date.parse((await row()).price.effectiveAt)).toBeGreaterThan(
    effectiveAt + 27 * 86_400_000,
  );
  await setUpAt(effectiveAt + 48 * HOUR_MS);
  expect((await row()).price.state).toBe('announced');
  await setUpAt(Date.parse((await row()).price.effectiveAt) - HOUR_MS);
  expect(await renew()).toBe(after);
  expect((await row()).price.state).toBe('charged');
  const { db } = shop.app.database;
  const alerts = db.selectFrom('outbox').select('id').where('kind', '=', 'order-old-price-charged');
  expect(await alerts.where('subjectId', '=', orderId).execute()).toHaveLength(1);
});

test('notice can be given while Stripe is away', async () => {
  const started = await paidOrder(shop, { planId: 1, amount: 799 });
  const prices = pricesPage(() => shop.staff);
  shop.fake.failNext({ how: 'status-500', times: 1_000 });
  expect((await prices.give([started.orderId])).done).toBe(1);
  shop.fake.clearFaults();
  expect((await prices.row(started.orderId)).price.state).toBe('announced');
});

test('a plan that is canceled before the day is never given the new price', async () => {
  const { effectiveAt, renew, ask, subscription } = await announced();
  await renew();
  await shop.fake.editSubscription(subscription, (running) => {
    running.cancel_at = effectiveAt / 1000;
  });
  await shop.fake.settled();
  await setUpAt(effectiveAt - HOUR_MS);
  const items = shop.fake.state.subscription.get(subscription)?.items.data ?? [];
  expect(items.map(({ price }) => price.unit_amount)).toEqual([45_000, 1_250, 495]);
  // Kept after all: the notice is still good.
  expect((await ask('keep')).status).toBe(200);
  await setUpAt(effectiveAt - HOUR_MS);
  expect(items).not.toEqual(shop.fake.state.subscription.get(subscription)?.items.data);
});

test('a price that was taken back after Stripe had it is the old one again', async () => {
  const { effectiveAt, renew, orderId, row, notes } = await announced();
  await renew();
  await setUpAt(effectiveAt - 2 * HOUR_MS);
  expect((await pricesPage(() => shop.staff).takeBack([orderId])).done).toBe(1);
  await setUpAt(effectiveAt - HOUR_MS);
  expect(await renew()).toBe(79_900);
  expect((await row()).price.state).toBe('taken-back');
  expect(await notes()).not.toContainEqual(expect.stringContaining('Price changed'));
});

test.each([
  ['refused for now', 'status-500', 3, 'announced'],
  ['refused under its key', 'status-500-kept', 1, 'announced'],
  ['made, but its answer is lost,', 'reset-after-execution', 1, 'set-up'],
] as const)('a change that is %s is made once in the end', async (_what, how, times, state) => {
  const { effectiveAt, renew, row, after } = await announced();
  await renew();
  shop.fake.failNext({ how, method: 'POST', path: /^\/v1\/subscriptions\/sub_/, times });
  await setUpAt(effectiveAt - 2 * HOUR_MS);
  expect((await row()).price.state).toBe(state);
  shop.fake.clearFaults();
  await setUpAt(effectiveAt - HOUR_MS);
  expect((await row()).price.state).toBe('set-up');
  expect(await renew()).toBe(after);
});

test('staff are told, and the price is not called done, if Stripe’s next invoice does not show it', async () => {
  const { effectiveAt, renew, row, subscription, notes } = await announced();
  await renew();
  shop.fake.beforeRequests((path) => {
    const [, seats] = shop.fake.state.subscription.get(subscription)?.items.data ?? [];
    if (path.endsWith('create_preview') && seats) seats.quantity = 1;
  });
  await setUpAt(effectiveAt - HOUR_MS);
  shop.fake.beforeRequests(null);
  expect((await row()).price.state).toBe('announced');
  expect(told).toEqual(['order-price-not-set-up']);
  expect(await notes()).toContainEqual(
    'The new price could not be set up at Stripe: its next invoice does not show the price',
  );
});
