/** Random lives of plans: what the customer’s page says will be charged is charged, to the cent, on both gateways. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { localDate } from '../../src/company/hours.ts';
import { applyPriceChanges } from '../../src/price-changes/apply-price-changes.server.ts';
import { booksDisagree } from '../support/books.ts';
import { contentWith } from '../support/content-folder.ts';
import { ownContent } from '../support/own-content.ts';
import { happen, linkOf, shownPrice } from '../support/own-page.ts';
import { pricesPage } from '../support/price-site.ts';
import { openSubscriptions } from '../support/running-subscription.ts';
import { type Random, seededRandom } from '../support/seeded-random.ts';
import { sized } from '../support/sized.ts';
import {
  openShop,
  paidOrder,
  type StripeShop,
  submit,
  subscriptionOf,
  WITH_MAIL,
} from '../support/stripe-shop.ts';
import { ownTestApp, type TestApp } from '../support/test-app.ts';
import type { Visitor } from '../support/visitor.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LIVES = sized(2, 500);
const MONTHS = 7;
const COMPANY = ownContent().company;
const ESSENTIAL = { planId: 1, amount: 799 };

/** Prices change every few weeks, by amounts that expose rounding errors. */
const CHANGES = [7, 40, 75, 110, 160].map((days, at) => ({
  from: localDate(COMPANY, Date.now() + days * DAY_MS),
  plan: 450 + ((at * 37.77) % 91),
  seat: Math.round(100 * (12.5 + ((at * 1.94) % 3))) / 100,
  backup: Math.round(100 * (4.95 - ((at * 0.33) % 1))) / 100,
}));
const CONTENT = contentWith({
  'catalogue/plans.json': (plans: object[]) =>
    plans.map((plan) => ({
      ...plan,
      prices: CHANGES.map(({ from, plan: price }) => ({
        from,
        price: Math.round(price * 100) / 100,
      })),
    })),
  'catalogue/add-ons.json': ({
    microsoft365 = [],
    cloudBackup = [],
  }: Record<string, object[]>) => ({
    microsoft365: [
      ...microsoft365,
      ...CHANGES.map(({ from, seat: pricePerUser }) => {
        const licence = { option: 'business_standard', label: 'Business Standard' };
        return { ...licence, pricePerUser, from };
      }),
    ],
    cloudBackup: [
      ...cloudBackup,
      ...CHANGES.map(({ from, backup }) => ({ label: 'Backup', pricePerUser: backup, from })),
    ],
  }),
});

function dayToCome(random: Random): string {
  const today = localDate(COMPANY, Date.now());
  const days = [today, ...CHANGES.map(({ from }) => from).filter((day) => day > today)];
  return days[random(days.length)] ?? today;
}

interface Life {
  app: TestApp;
  orderId: number;
  visitor: Visitor;
  /** Begins the next month, paid. */
  renew(): Promise<void>;
}

async function live({ app, orderId, visitor, renew }: Life, random: Random, isNoticed = true) {
  const { token } = await linkOf(app, orderId);
  const ask = async (what: string, body: object = {}) =>
    (await visitor.move().post(`/api/order-page/${what}`, { token, ...body })).json;
  const account = async () => (await visitor.move().post('/api/order-page', { token })).json;
  let staff = await app.staff();
  let signedInAt = Date.now();
  const prices = pricesPage(() => staff);

  async function change() {
    const { order } = await account();
    const from = { users: order.ms365Users, backup: order.includeCloudBackup };
    const wanted = { users: 1 + random(40), backup: random(2) > 0, from };
    const shown = await ask('preview', wanted);
    // Nothing differs, or the plan is set to end.
    if (!shown.next) return;
    const after = await ask('change', { ...wanted, ...shownPrice(shown) });
    expect([after.message, after.running?.next.total]).toEqual([undefined, shown.next.total]);
  }

  for (let month = 0; month < MONTHS; month += 1) {
    // A session has ended by then.
    if (Date.now() > signedInAt + DAY_MS) {
      staff = await app.staff();
      signedInAt = Date.now();
    }
    for (let acts = random(4); acts > 0; acts -= 1) {
      const what = random(10);
      if (what < 3 && isNoticed) await prices.give([orderId], dayToCome(random));
      else if (what < 7) await change();
      else if (what === 7) await prices.takeBack([orderId], dayToCome(random));
      else await ask(random(3) === 0 ? 'cancel' : 'keep');
    }
    const { running, priceChange } = await account();
    await renew();
    const after = await account();
    if (running.next === null) return expect(after.order.status).toBe('canceled');
    const [invoice] = after.payments;
    expect(invoice).toMatchObject({ state: 'paid', amount: running.next.total });
    // What was announced is charged from that month on, and not before.
    if (priceChange) {
      const isNew = Date.parse(running.periodEnd) >= Date.parse(priceChange.at) - DAY_MS;
      const prices = (lines: { unitPrice: number }[]) => lines.map(({ unitPrice }) => unitPrice);
      const announced = isNew ? priceChange.after : priceChange.before;
      expect(prices(invoice.lines)).toEqual(prices(announced));
    }
  }
  return undefined;
}

test('at the test gateway', async () => {
  const app = await ownTestApp(WITH_MAIL, CONTENT);
  for (let seed = 1; seed <= LIVES; seed += 1) {
    const visitor = app.visitor();
    const { json } = await submit(visitor, { ...ESSENTIAL, email: `buyer-${seed}@dealer.example` });
    const { clientSecret, orderId } = json;
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    const renew = async () => void (await happen(app, orderId, 'renewed'));
    await live({ app, orderId, visitor, renew }, seededRandom(seed));
  }
  expect(await booksDisagree(app.database.db)).toEqual([]);
}, 3_600_000);

/** Stripe gets announced prices in the last hours of a month. */
async function lifeAtStripe(shop: StripeShop, postalCode: string): Promise<Life> {
  const placed = await paidOrder(shop, { ...ESSENTIAL, postalCode });
  const subscription = await subscriptionOf(shop, placed);
  const { db } = shop.app.database;
  const context = { db, ...openSubscriptions(shop), notify: async () => undefined };
  return {
    app: shop.app,
    ...placed,
    async renew() {
      const [item] = shop.fake.state.subscription.get(subscription)?.items.data ?? [];
      const end = (item?.current_period_end ?? 0) * 1000;
      vi.setSystemTime(end - HOUR_MS);
      await applyPriceChanges(context, () => false, 0);
      vi.setSystemTime(end);
      shop.fake.renew(subscription, { pay: true });
      await shop.fake.settled();
    },
  };
}

test.each([0, 8])(
  'at Stripe, with %i percent sales tax',
  async (taxPercent) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const begin = Date.now();
    const tax = { STRIPE_TAX: taxPercent > 0 ? 'on' : 'off' };
    const shop = await openShop({ ...WITH_MAIL, ...tax }, { taxPercent }, CONTENT);
    onTestFinished(() => shop.close());
    shop.fake.autoDeliver(shop.webhook);
    for (let seed = 1; seed <= LIVES; seed += 1) {
      vi.setSystemTime(begin);
      await live(await lifeAtStripe(shop, '30301'), seededRandom(seed), taxPercent === 0);
    }
    expect(await booksDisagree(shop.app.database.db, { fake: shop.fake })).toEqual([]);
  },
  3_600_000,
);
