/** A new price at Stripe: what customers were told is what Stripe charges, from that renewal on. */

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readEvents } from '../../../src/billing/order-event-store.server.ts';
import { dayAfter, noonOf } from '../../../src/company/days.ts';
import type { Notify } from '../../../src/notifications/notification.server.ts';
import { totalOf } from '../../../src/platform/money.ts';
import { applyNotices } from '../../../src/price-changes/apply-notices.server.ts';
import { contentWith } from '../../support/content-folder.ts';
import { ownContent } from '../../support/own-content.ts';
import { ownPage } from '../../support/own-page.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { pricesPage, RISING, settleNotice } from '../../support/price-site.ts';
import { intervalsOf } from '../../support/running-subscription.ts';
import { notesOf } from '../../support/saved-order.ts';
import { signedData } from '../../support/signed-event.ts';
import { quoteByStaff, quotedByInvoice } from '../../support/staff-quote.ts';
import {
  atStripe,
  countEmails,
  paidOrder,
  rowOf,
  sharedShop,
  submit,
  subscriptionOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';
import { variant } from '../../support/variant.ts';

const HOUR_MS = 3_600_000;
const shop = sharedShop(WITH_MAIL, {}, contentWith(RISING));

let notified: string[] = [];
beforeEach(() => {
  notified = [];
  shop.fake.autoDeliver(shop.webhook);
  shop.fake.clearFaults();
});
const notify: Notify = async (_trx, { kind }) => void notified.push(kind);

/** Runs the interval as it runs at that time. */
async function setUpAt(time: number) {
  const context = intervalsOf(shop, notify);
  vi.useFakeTimers({ toFake: ['Date'], now: time });
  await applyNotices(context, () => false);
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
  await settleNotice(shop.app.database, orderId, true);
  const { after, price } = await row();
  const subscription = await atStripe(shop, started);
  return {
    ...(await ownPage(shop.app, orderId, started.visitor)),
    orderId,
    visitor: started.visitor,
    prices: () => subscription.items.data.map(({ price }) => price.unit_amount),
    subscription,
    row,
    after: Math.round(after * 100),
    effectiveAt: Date.parse(price.effectiveAt),
    periodEnd: () => (subscription.items.data[0]?.current_period_end ?? 0) * 1000,
    renew: async () => {
      const invoice = shop.fake.renew(subscription.id, { pay: true });
      await shop.fake.settled();
      return invoice?.amount_paid;
    },
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
  expect((await row()).price.state).toBe('applying');
  const { length: before } = shop.fake.requests;
  await setUpAt(effectiveAt - 4 * HOUR_MS);
  expect(shop.fake.requests).toHaveLength(before);
  expect(await renew()).toBe(after);
  expect((await row()).price.state).toBe('charged');
  expect((await rowOf(shop, orderId)).subscription.amountCents).toBe(after);
  expect(await renew()).toBe(after);
  expect(notified).toEqual([]);
  expect(await notes()).not.toContainEqual(expect.stringContaining('Price changed'));
  expect(await countEmails(shop.app.database.db, 'order-changed', orderId)).toBe(0);
});

test('a plan by card that starts on a day to come is charged the announced price from its first month on', async () => {
  const { company } = ownContent();
  const startsOn = dayAfter(company, Date.now(), 90);
  const quote = await quoteByStaff(shop.staff, { startsOn });
  const visitor = shop.app.visitor();
  const { json } = await submit(visitor.move(), { quote: quote.token, dueToday: 0 });
  shop.fake.confirmCard(json.clientSecret, '4242424242424242');
  await shop.fake.settled();
  const { orderId } = json;
  const prices = pricesPage(() => shop.staff);
  expect(await prices.give([orderId])).toEqual({ done: 1, skipped: [] });
  await settleNotice(shop.app.database, orderId, true);
  const { after, price } = await prices.row(orderId);
  const start = noonOf(company, startsOn);
  expect(Date.parse(price.effectiveAt)).toBe(start);
  await setUpAt(start - 5 * HOUR_MS);
  const invoice = shop.fake.renew(await subscriptionOf(shop, { orderId }), { pay: true });
  await shop.fake.settled();
  expect(invoice?.amount_paid).toBe(Math.round(after * 100));
  expect((await prices.row(orderId)).price.state).toBe('charged');
});

test('a plan that is paused before its start day is announced a price from that day on', async () => {
  const { company } = ownContent();
  const startsOn = dayAfter(company, Date.now(), 90);
  const quote = await quoteByStaff(shop.staff, { startsOn });
  const { json } = await submit(shop.app.visitor().move(), { quote: quote.token, dueToday: 0 });
  shop.fake.confirmCard(json.clientSecret, '4242424242424242');
  await shop.fake.settled();
  const { orderId } = json;
  shop.fake.editSubscription(await subscriptionOf(shop, { orderId }), (subscription) => {
    subscription.pause_collection = { behavior: 'void', resumes_at: null };
  });
  await shop.fake.settled();
  const prices = pricesPage(() => shop.staff);
  expect(await prices.give([orderId])).toEqual({ done: 1, skipped: [] });
  const { price } = await prices.row(orderId);
  expect(Date.parse(price.effectiveAt)).toBe(noonOf(company, startsOn));
});

describe('a plan whose first month has begun and is not paid', () => {
  const { company } = ownContent();
  const startsOn = dayAfter(company, Date.now(), 20);

  async function byCard() {
    const quote = await quoteByStaff(shop.staff, { startsOn });
    const { json } = await submit(shop.app.visitor(), { quote: quote.token, dueToday: 0 });
    shop.fake.confirmCard(json.clientSecret, '4242424242424242');
    return json.orderId as number;
  }

  async function byInvoice() {
    const choice = { startsOn, dueDays: 60 };
    const { json } = await (await quotedByInvoice(shop.app, shop.staff, { choice }))();
    return json.orderId as number;
  }

  test.each([
    ['card', 'failed', byCard],
    ['invoice', 'processing', byInvoice],
  ] as const)('by %s gets the announced price with its second', async (_, status, accepted) => {
    const orderId = await accepted();
    await shop.fake.settled();
    const prices = pricesPage(() => shop.staff);
    expect(await prices.give([orderId])).toEqual({ done: 1, skipped: [] });
    await settleNotice(shop.app.database, orderId, true);
    const { after, price } = await prices.row(orderId);
    const cents = Math.round(after * 100);
    const subscription = await subscriptionOf(shop, { orderId });
    const monthBegins = async () => {
      const invoice = shop.fake.renew(subscription, { pay: false });
      if (invoice?.status === 'draft') shop.fake.finalize(invoice.id);
      await shop.fake.settled();
      return invoice?.amount_due;
    };
    await monthBegins();
    expect((await rowOf(shop, orderId)).status).toBe(status);
    const { account } = await ownPage(shop.app, orderId, shop.app.visitor());
    expect((await account()).priceChange).toMatchObject({ at: price.effectiveAt });
    await setUpAt(Date.parse(price.effectiveAt) - 5 * HOUR_MS);
    expect(await monthBegins()).toBe(cents);
    expect((await prices.row(orderId)).price.state).toBe('charged');
    expect((await rowOf(shop, orderId)).subscription.amountCents).toBe(cents);
  });
});

test('until the renewal, everyone reads today’s price everywhere, though Stripe has the new one', async () => {
  const { effectiveAt, renew, account, after, orderId, visitor, prices, notes } = await announced();
  await renew();
  await setUpAt(effectiveAt - 5 * HOUR_MS);
  expect(prices()).toEqual([47_777, 1_444, 411]);
  const amounts = async () => {
    const { orders } = (await shop.staff.get(`/api/admin/orders?find=${orderId}`)).json;
    const csv = parseCsv((await shop.staff.get('/api/admin/orders/download')).text);
    const own = csv.find(([id]) => id === `${orderId}`) ?? [];
    return {
      page: (await account()).order.amount,
      buyer: (await visitor.get(`/api/orders/${orderId}`)).json.price.total,
      list: orders.find(({ id }: { id: number }) => id === orderId).amount,
      file: Number(own[csv[0]?.indexOf('monthlyAmount') ?? 0]),
    };
  };
  expect(await amounts()).toEqual({ page: 799, buyer: 799, list: 799, file: 799 });
  const { order, running } = await account();
  expect(order.price.lines).toMatchObject([
    { unitPrice: 450 },
    { unitPrice: 12.5 },
    { unitPrice: 4.95 },
  ]);
  expect(running.next.total).toBe(after / 100);
  await renew();
  const now = after / 100;
  expect(await amounts()).toEqual({ page: now, buyer: now, list: now, file: now });
  expect(await notes()).not.toContainEqual(expect.stringContaining('Price changed'));
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
  const { effectiveAt, renew, ask, prices, subscription } = await announced();
  await renew();
  await shop.fake.editSubscription(subscription.id, (running) => {
    running.cancel_at = effectiveAt / 1000;
  });
  await shop.fake.settled();
  await setUpAt(effectiveAt - HOUR_MS);
  expect(prices()).toEqual([45_000, 1_250, 495]);
  // Kept after all: the notice is still good.
  expect((await ask('keep')).status).toBe(200);
  await setUpAt(effectiveAt - HOUR_MS);
  expect(prices()).toEqual([47_777, 1_444, 411]);
});

test.each([
  ['refused for now', 'status-500', 3, false],
  ['refused under its key', 'status-500-kept', 1, false],
  ['made, but its answer is lost,', 'reset-after-execution', 1, true],
] as const)('a change that is %s is made once in the end', async (_what, how, times, isMade) => {
  const { effectiveAt, renew, prices, after } = await announced();
  await renew();
  shop.fake.failNext({ how, method: 'POST', path: /^\/v1\/subscriptions\/sub_/, times });
  await setUpAt(effectiveAt - 2 * HOUR_MS);
  expect(prices()[0]).toBe(isMade ? 47_777 : 45_000);
  shop.fake.clearFaults();
  await setUpAt(effectiveAt - HOUR_MS);
  expect(prices()[0]).toBe(47_777);
  expect(await renew()).toBe(after);
});

variant(
  'a change that Stripe failed to make more often than it has keys is made soon after',
  async () => {
    const { effectiveAt, renew, prices, after } = await announced();
    await renew();
    const path = /^\/v1\/subscriptions\/sub_/;
    shop.fake.failNext({ how: 'status-500-kept', method: 'POST', path, times: 1_000 });
    for (let tries = 0; tries < 6; tries += 1) await setUpAt(effectiveAt - 2 * HOUR_MS);
    shop.fake.clearFaults();
    await setUpAt(effectiveAt - HOUR_MS);
    expect(prices()).toEqual([47_777, 1_444, 411]);
    expect(await renew()).toBe(after);
  },
);

/** Four lines each. */
async function changeSeats(plan: Awaited<ReturnType<typeof announced>>, times: number) {
  for (let users = 20; users < 20 + times; users += 1) {
    vi.useFakeTimers({ toFake: ['Date'], now: plan.effectiveAt - (240 - users) * HOUR_MS });
    await plan.change({ users: users + 1, backup: true, from: { users, backup: true } });
  }
  vi.useRealTimers();
  await shop.fake.settled();
}

test.each([
  ['a few lines', 0],
  ['more lines than it shows at once', 3],
])(
  'staff are told, and the price is not called done, if Stripe’s next invoice, of %s, does not show it',
  async (_what, changes) => {
    const plan = await announced();
    const { effectiveAt, renew, row, subscription, notes } = plan;
    await renew();
    await changeSeats(plan, changes);
    let isChanged = false;
    shop.fake.beforeRequests((path) => {
      const [, seats] = subscription.items.data;
      if (isChanged && path.endsWith('create_preview') && seats) seats.quantity = 1;
      isChanged ||= path === `/v1/subscriptions/${subscription.id}`;
    });
    await setUpAt(effectiveAt - HOUR_MS);
    shop.fake.beforeRequests(null);
    expect((await row()).price.state).toBe('applying');
    expect(notified).toEqual(['order-price-not-set-up']);
    expect(await notes()).toContainEqual(
      'The new price could not be set up at the payment provider: its next invoice does not show the price',
    );
  },
);

test('a price is set up, and nobody is alarmed, where many changes come first on the next invoice', async () => {
  const plan = await announced();
  await plan.renew();
  await changeSeats(plan, 3);
  await setUpAt(plan.effectiveAt - HOUR_MS);
  expect(notified).toEqual([]);
  expect(plan.prices()).toEqual([47_777, 1_444, 411]);
  const { length: before } = shop.fake.requests;
  await setUpAt(plan.effectiveAt - HOUR_MS);
  expect(shop.fake.requests).toHaveLength(before);
});

test('seats that a customer adds in the last hours cost today’s price until the renewal, and the new one from it on', async () => {
  const { effectiveAt, renew, orderId, row, change } = await announced();
  await renew();
  await setUpAt(effectiveAt - 5 * HOUR_MS);
  vi.useFakeTimers({ toFake: ['Date'], now: effectiveAt - 4 * HOUR_MS });
  await change({ users: 30, backup: true, from: { users: 20, backup: true } });
  vi.useRealTimers();
  const events = await readEvents(shop.app.database.db, orderId);
  const changed = events.flatMap(({ event }) => (event.kind === 'changed' ? [event] : []));
  expect(totalOf(changed[0]?.monthly.lines ?? [])).toBe(45_000 + 30 * (1_250 + 495));
  const { length: before } = shop.fake.requests;
  await setUpAt(effectiveAt - HOUR_MS);
  expect(shop.fake.requests.length).toBeGreaterThan(before);
  await renew();
  expect((await row()).price.state).toBe('charged');
  expect(await renew()).toBe(47_777 + 30 * (1_444 + 411));
});

describe('a notice', () => {
  const takeBack = (orderId: number) => pricesPage(() => shop.staff).takeBack([orderId]);

  test('that Stripe may have is not taken back, also after the site was off over the renewal', async () => {
    const { effectiveAt, renew, orderId, row } = await announced();
    await renew();
    await setUpAt(effectiveAt - HOUR_MS);
    const refused = 'It is being applied. Give notice of another price instead.';
    expect(await takeBack(orderId)).toEqual({ done: 0, refused });
    shop.fake.autoDeliver(null);
    vi.useFakeTimers({ toFake: ['Date'], now: effectiveAt + HOUR_MS });
    const staff = await shop.app.staff();
    const answer = await pricesPage(() => staff).takeBack([orderId]);
    vi.useRealTimers();
    expect(answer).toEqual({ done: 0, refused });
    expect((await row()).price.state).toBe('applying');
  });

  test('is taken back after its day while billing is paused, and another can be given', async () => {
    const { orderId, effectiveAt, subscription, renew, row } = await announced();
    await renew();
    const pause = (paused: boolean) =>
      shop.fake.editSubscription(subscription.id, (running) => {
        running.pause_collection = paused ? { behavior: 'keep_as_draft', resumes_at: null } : null;
      });
    pause(true);
    const draft = shop.fake.renew(subscription.id, { pay: true });
    await shop.fake.settled();
    await setUpAt(effectiveAt + HOUR_MS);
    expect((await takeBack(orderId)).done).toBe(1);
    expect((await row()).price.state).toBe('withdrawn');
    expect(draft?.amount_due).toBe(79_900);
    expect((await pricesPage(() => shop.staff).give([orderId])).done).toBe(1);
    pause(false);
    expect(await renew()).toBe(79_900);
  });

  test('that release 1.0 was taking back when it was upgraded is taken away at Stripe, and the customer is told', async () => {
    const { orderId, effectiveAt, renew, row, prices } = await announced();
    await renew();
    await setUpAt(effectiveAt - 3 * HOUR_MS);
    expect(prices()).toEqual([47_777, 1_444, 411]);
    const { db } = shop.app.database;
    const own = db.updateTable('priceChanges').where('orderId', '=', orderId);
    await own.set({ state: 'restoring' }).execute();
    await setUpAt(effectiveAt - 2 * HOUR_MS);
    expect(prices()).toEqual([45_000, 1_250, 495]);
    expect(notified).toEqual(['price-withdrawn']);
    expect((await row()).price).toMatchObject({ state: 'withdrawn', reason: 'taken-back' });
    expect(await renew()).toBe(79_900);
    expect(await countEmails(db, 'order-lines-changed', orderId)).toBe(0);
  });

  const inFractions = ({ subscription }: Awaited<ReturnType<typeof announced>>) => {
    shop.fake.editSubscription(subscription.id, ({ items: { data } }) => {
      const [plan] = data;
      if (plan) plan.price = { ...plan.price, unit_amount: null, unit_amount_decimal: '45000.5' };
    });
    return shop.fake.settled();
  };
  const forbidden = async () =>
    shop.fake.failNext({
      ...{ how: 'status-400', method: 'POST', times: 1_000 },
      path: /^\/v1\/subscriptions\/sub_/,
    });

  test.each([
    ['as staff set a price there in fractions of a cent', inFractions],
    ['as the account may not change it', forbidden],
  ])(
    'that Stripe refuses, %s, is tried again without a second alert, and can be taken back',
    async (_, prepare) => {
      const plan = await announced();
      const { effectiveAt, renew, orderId, row, prices } = plan;
      await renew();
      await prepare(plan);
      await setUpAt(effectiveAt - 2 * HOUR_MS);
      const { length: before } = shop.fake.requests;
      await setUpAt(effectiveAt - HOUR_MS);
      expect(shop.fake.requests.length).toBeGreaterThan(before);
      expect(notified).toEqual(['order-price-not-set-up']);
      expect((await row()).price.state).toBe('announced');
      expect((await takeBack(orderId)).done).toBe(1);
      shop.fake.clearFaults();
      await setUpAt(effectiveAt - HOUR_MS);
      expect(prices().slice(1)).toEqual([1_250, 495]);
    },
  );
});

test.each([
  ['before its day', false],
  ['after its notice was taken back', true],
])(
  'a price that staff set at Stripe by hand %s is no news that was announced',
  async (_when, isTakenBack) => {
    const { renew, orderId, notes, subscription } = await announced();
    if (isTakenBack) expect((await pricesPage(() => shop.staff).takeBack([orderId])).done).toBe(1);
    shop.fake.editSubscription(subscription.id, ({ items }) => {
      const [plan] = items.data;
      if (plan) plan.price = { ...plan.price, unit_amount: 47_777 };
    });
    await shop.fake.settled();
    expect(await notes()).toContainEqual(
      expect.stringContaining('Price changed: Essential, $450.00 → $477.77'),
    );
    expect(await renew()).toBe(79_900 + 2_777);
    const now = { monthlyAmount: 799 + 27.77 };
    expect(await signedData(shop.app.database.db, orderId, 'renewed')).toMatchObject(now);
  },
);

test.each([
  ['', false],
  [', after staff billed something else at once', true],
])(
  'a site that starts while the renewal is a draft at the old price%s, sets nothing up a month early',
  async (_, isBilled) => {
    const { effectiveAt, renew, row, subscription, prices, notes, after, periodEnd } =
      await announced();
    await renew();
    const draft = shop.fake.renew(subscription.id, { draft: true });
    if (isBilled) shop.fake.billNow(subscription.id, 'On-site visit', 30_000, true);
    await shop.fake.settled();
    await setUpAt(effectiveAt + HOUR_MS / 2);
    expect(prices()).toEqual([45_000, 1_250, 495]);
    expect(Date.parse((await row()).price.effectiveAt)).toBe(periodEnd());
    expect(await notes()).toContainEqual(
      expect.stringMatching(/^Renewal in_\w+ was billed at the old price, \$799.00\./),
    );
    shop.fake.chargeDraft(draft?.id ?? '');
    await shop.fake.settled();
    await setUpAt(effectiveAt + HOUR_MS);
    expect((await row()).price.state).toBe('announced');
    await setUpAt(periodEnd() - HOUR_MS);
    expect(await renew()).toBe(after);
  },
);

test('a renewal that Stripe bills at the old price while the new one is set up late has it taken away again', async () => {
  const { effectiveAt, renew, row, subscription, prices, after, periodEnd } = await announced();
  await renew();
  shop.fake.beforeRequests(async (path, method) => {
    if (method !== 'POST' || path !== `/v1/subscriptions/${subscription.id}`) return;
    shop.fake.beforeRequests(null);
    expect(await renew()).toBe(79_900);
  });
  await setUpAt(effectiveAt + HOUR_MS);
  expect(Date.parse((await row()).price.effectiveAt)).toBe(periodEnd());
  await setUpAt(effectiveAt + 2 * HOUR_MS);
  expect(prices()).toEqual([45_000, 1_250, 495]);
  expect((await row()).price.state).toBe('announced');
  await setUpAt(periodEnd() - HOUR_MS);
  expect(await renew()).toBe(after);
});

describe('with a notice pending, the next bill is Stripe’s own answer', () => {
  /** Ten days before the first charge at the new price. */
  async function shortlyBefore() {
    const plan = await announced();
    await plan.renew();
    vi.useFakeTimers({ toFake: ['Date'], now: plan.effectiveAt - 240 * HOUR_MS });
    onTestFinished(() => void vi.useRealTimers());
    const changeTo = async (users: number) => {
      const wanted = { users, backup: true, from: { users: 20, backup: true } };
      return Math.round((await plan.change(wanted)).shown.next.total * 100);
    };
    return { ...plan, changeTo };
  }
  type Subscription = Awaited<ReturnType<typeof atStripe>>;
  const percent = ({ discounts }: Subscription) => {
    shop.fake.state.discount.set('di_third', { id: 'di_third', percent: 33 });
    discounts.push('di_third');
  };
  const credit = ({ customer }: Subscription) =>
    Object.assign(shop.fake.state.customer.get(customer) ?? {}, { balance: -500_000 });

  test.each([
    ['a coupon', percent, 31],
    ['a coupon', percent, 9],
    ['a credit larger than the bill', credit, 31],
    ['nothing else', () => undefined, 31],
    ['nothing else', () => undefined, 9],
  ])('with %s', async (_what, prepare, users) => {
    const { subscription, changeTo, account, effectiveAt, renew } = await shortlyBefore();
    prepare(subscription);
    const shown = await changeTo(users);
    // Only Stripe computes a discount at prices to come.
    const { priceChange } = await account();
    const kinds = priceChange.after.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(['plan', 'microsoft365', 'backup']);
    expect(Math.round((await account()).running.next.total * 100)).toBe(shown);
    await setUpAt(effectiveAt - HOUR_MS);
    expect(await renew()).toBe(shown);
  });

  test('and a plan that was ended pays its last prorations alone', async () => {
    const { subscription, changeTo, account, ask } = await shortlyBefore();
    await changeTo(21);
    await ask('cancel');
    const { running } = await account();
    const last = shop.fake.renew(subscription.id, { pay: true });
    expect(Math.round(running.next.total * 100)).toBe(last?.amount_due);
    await shop.fake.settled();
  });
});

test('a plan that staff bill by the year at Stripe stays in the list without a price: its notice is taken back, and it gets one of new terms', async () => {
  const { orderId, subscription, row } = await announced();
  shop.fake.editSubscription(subscription.id, ({ items }) => {
    for (const item of items.data) item.price = { ...item.price, recurring: { interval: 'year' } };
  });
  await shop.fake.settled();
  expect(await row()).toMatchObject({ before: 0, after: 0, firstChargeAt: null });
  const prices = pricesPage(() => shop.staff);
  expect((await prices.takeBack([orderId])).done).toBe(1);
  expect((await prices.giveTerms([orderId])).done).toBe(1);
  const { price, terms } = await row();
  expect([price.state, terms.state]).toEqual(['withdrawn', 'announced']);
});
