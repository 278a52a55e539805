/** Random lives of plans: what the customer reads will be charged is charged, at both gateways. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { localDate } from '../../src/company/days.ts';
import { readOrderHash } from '../../src/orders/order-api.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/time.ts';
import { applyNotices } from '../../src/price-changes/apply-notices.server.ts';
import { booksDisagree } from '../support/books.ts';
import { contentWith } from '../support/content-folder.ts';
import type { FakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { ownContent } from '../support/own-content.ts';
import { happen, linkOf, shownPrice } from '../support/own-page.ts';
import { pricesPage, settleNotice } from '../support/price-site.ts';
import { intervalsOf } from '../support/running-subscription.ts';
import { quoteByStaff, quotedByInvoice } from '../support/staff-quote.ts';
import {
  openShop,
  paidOrder,
  rowOf,
  type StripeShop,
  submit,
  WITH_MAIL,
} from '../support/stripe-shop.ts';
import { ownTestApp, type TestApp } from '../support/test-app.ts';
import type { Visitor } from '../support/visitor.ts';
import { type Random, seededRandom } from './seeded-random.ts';
import { sized } from './sized.ts';

const LIVES = Number(process.env.LIVES ?? sized(1, 500));
const FIRST = Number(process.env.FIRST_LIFE ?? 0);
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
        const license = { option: 'business_standard', label: 'Business Standard' };
        return { ...license, pricePerUser, from };
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
  /** Begins the next month, which may be a draft for a while, and pays it. */
  renew(hasDraft: boolean): Promise<void>;
  /** Goes to the last hours of the month. */
  end?(): Promise<void>;
  /** Has the provider charge the prices that were announced. */
  apply?(): Promise<void>;
  /** Staff change something in the provider's dashboard. */
  edit?(random: Random): Promise<void>;
  /** A minute passes. */
  wait?(): void;
  /** Loses the provider's next answers: what was asked for is done, and no one here knows. */
  loseAnswers?(): void;
  answerAgain?(): void;
}

const seen: Record<string, number> = {};
const count = (what: string) => {
  seen[what] = (seen[what] ?? 0) + 1;
};

function report(where: string) {
  console.log(`${LIVES} lives ${where}`, JSON.stringify(seen));
  for (const what of Object.keys(seen)) delete seen[what];
}

async function live({ app, orderId, visitor, ...life }: Life, random: Random) {
  const { token } = await linkOf(app, orderId);
  /** Whoever gets no answer asks again. */
  async function ask(what: string, body: object = {}) {
    if (random(3) === 0) life.loseAnswers?.();
    const send = () => visitor.move().post(`/api/order-page/${what}`, { token, ...body });
    let { status, json } = await send();
    life.answerAgain?.();
    if (status === 503) count('answers lost');
    if (status === 503) ({ status, json } = await send());
    expect([what, status]).not.toEqual([what, 503]);
    return json;
  }
  const account = async () => (await visitor.move().post('/api/order-page', { token })).json;
  let staff = await app.staff();
  let signedInAt = Date.now();
  async function signIn() {
    // A session has ended by then.
    if (Date.now() < signedInAt + DAY_MS / 3) return;
    staff = await app.staff();
    signedInAt = Date.now();
  }
  const prices = pricesPage(() => staff);
  const takeBack = async () => {
    seen.takenBack = (seen.takenBack ?? 0) + (await prices.takeBack([orderId])).done;
  };

  async function change() {
    const { order } = await account();
    const from = { users: order.ms365Users, backup: order.includeCloudBackup };
    const wanted = { users: 1 + random(40), backup: random(2) > 0, from };
    const shown = await ask('preview', wanted);
    // Nothing differs, or the plan is set to end.
    if (!shown.next) return;
    const after = await ask('change', { ...wanted, ...shownPrice(shown) });
    expect([after.message, after.running?.next.total]).toEqual([undefined, shown.next.total]);
    count('changes');
  }

  async function give() {
    const byHand = random(4) === 0;
    const { done } = await prices.give([orderId], dayToCome(random), byHand);
    if (done === 0) return;
    count(byHand ? 'byHand' : 'notices');
    if (byHand) return;
    const isAccepted = random(3) > 0;
    await settleNotice(app.database, orderId, isAccepted);
    if (!isAccepted) count('undelivered');
  }

  for (let month = 0; month < MONTHS; month += 1) {
    await signIn();
    for (let acts = random(4); acts > 0; acts -= 1) {
      life.wait?.();
      if (random(4) === 0) await life.edit?.(random);
      const what = random(10);
      if (what < 3) await give();
      else if (what < 7) await change();
      else if (what === 7) await takeBack();
      else await ask(random(3) === 0 ? 'cancel' : 'keep');
    }
    await life.end?.();
    await life.apply?.();
    const late = random(6);
    if (life.apply && late < 2) {
      await signIn();
      await (late === 0 ? takeBack() : change());
      count('acts in the last hours');
      await life.apply();
    }
    const { order, running, priceChange } = await account();
    // It was ended before its start day.
    if (!running) return expect(order.status).toBe('canceled');
    await life.renew(random(2) === 0);
    const after = await account();
    if (running.next === null) return expect(after.order.status).toBe('canceled');
    count('months');
    const [invoice] = after.payments;
    expect(invoice).toMatchObject({ state: 'paid', amount: running.next.total, remaining: 0 });
    // The last bill has the changes of its month alone.
    if (after.order.status === 'canceled') return undefined;
    // What was announced is charged from that month on, and not before.
    if (priceChange) {
      const isNew = Date.parse(running.periodEnd) >= Date.parse(priceChange.at) - DAY_MS;
      // A credit of the months before pays a part, and a coupon another.
      const prices = (lines: { amount: number; unitPrice: number }[]) =>
        lines
          .filter(({ amount }) => amount >= 0)
          .map(({ unitPrice }) => unitPrice)
          // An invoice has them in the order in which they were added.
          .sort((one, other) => one - other);
      const announced = isNew ? priceChange.after : priceChange.before;
      expect(prices(invoice.lines)).toEqual(prices(announced));
      if (isNew) count('new prices charged');
    }
  }
  return undefined;
}

/** Names the life in which something was wrong. */
const ofLife = (seed: number) => (cause: unknown) => {
  throw new Error(`in life ${seed + FIRST}: ${cause}`, { cause });
};

type Bought = Pick<Life, 'orderId' | 'visitor'>;

async function byInvoice(app: TestApp, email: string): Promise<Bought> {
  const visitor = app.visitor();
  const accept = await quotedByInvoice(app, await app.staff(), { choice: { planId: 1, email } });
  return { orderId: (await accept(visitor)).json.orderId, visitor };
}

async function byTestCard(app: TestApp, bought: object): Promise<Bought> {
  const visitor = app.visitor();
  const { clientSecret, orderId } = (await submit(visitor, { ...ESSENTIAL, ...bought })).json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  return { orderId, visitor };
}

/** A quote that begins with a fee, or on a day to come, or both: what its buyer sends. */
async function withStart(app: TestApp, email: string, seed: number) {
  const once = seed % 3 === 0 ? [] : [{ label: 'Onboarding', amount: 1234.56 }];
  const startsOn = seed % 3 === 1 ? null : localDate(COMPANY, Date.now() + 20 * DAY_MS);
  const choice = { planId: ESSENTIAL.planId, email, once, startsOn };
  const { token } = await quoteByStaff(await app.staff(), choice);
  const fee = once.length > 0 ? 1234.56 : 0;
  const dueToday = fee + (startsOn === null ? ESSENTIAL.amount : 0);
  return { email, quote: token, dueToday: Math.round(dueToday * 100) / 100 };
}

/** The customer opens a link that staff made. */
async function proveAddress(app: TestApp, { orderId, visitor }: Bought): Promise<void> {
  const staff = await app.staff();
  const { url } = (await staff.post(`/api/admin/orders/${orderId}/link`, {})).json;
  const { token, access } = readOrderHash(new URL(url).hash);
  expect((await visitor.post('/api/order-page/open', { token, access })).status).toBe(200);
}

const WAYS = ['card', 'invoice', 'start'] as const;

test.each(WAYS)(
  'at the test gateway, by %s',
  async (by) => {
    const app = await ownTestApp(WITH_MAIL, CONTENT);
    const ids: number[] = [];
    for (let seed = 1; seed <= LIVES; seed += 1) {
      const email = `buyer-${seed}@dealer.example`;
      const bought =
        by === 'invoice'
          ? await byInvoice(app, email)
          : await byTestCard(app, by === 'card' ? { email } : await withStart(app, email, seed));
      const press = (...happens: Parameters<typeof happen>[2][]) =>
        happen(app, bought.orderId, ...happens);
      ids.push(bought.orderId);
      if (by === 'invoice') await press('invoice_paid');
      // What is paid by a press is mailed to a proven address alone.
      if (by === 'start') await proveAddress(app, bought);
      const renew = async () => {
        // Months pass here in seconds, and one mailbox gets at most ten emails a day.
        await app.database.db.deleteFrom('mailRecipients').execute();
        const { status, payment } = await press('renewed');
        if (by === 'invoice' && status !== 'canceled' && payment.state === 'sent')
          await press('invoice_paid');
      };
      await live({ app, ...bought, renew }, seededRandom(seed + FIRST)).catch(ofLife(seed));
    }
    expect(await booksDisagree(app.database.db, { ids })).toEqual([]);
    report(`at the test gateway, by ${by}`);
  },
  3_600_000,
);

/** What staff, banks and customers do there, one of which happens. */
function inDashboard({ state, ...fake }: FakeStripe, id: string, random: Random) {
  const cents = () => 1 + random(900);
  const own = [...state.invoice.values()]
    .filter(({ parent }) => parent.subscription_details.subscription === id)
    .flatMap(({ payments }) => payments.data.map(({ payment }) => payment.payment_intent));
  const charges = [...state.charge.values()].filter(
    (charge) => charge.paid && own.includes(charge.payment_intent),
  );
  const kept = charges.findLast(({ disputed, refunded }) => !disputed && !refunded);
  const open = [...state.dispute.values()].filter(
    ({ charge, status }) => status === 'needs_response' && charges.some((one) => one.id === charge),
  );
  return [
    function coupon() {
      fake.editSubscription(id, ({ discounts }) => {
        const third = { id: 'di_third', percent: 33 };
        const off = random(2) === 0 ? third : { ...third, id: 'di_once', once: true as const };
        state.discount.set(off.id, off);
        discounts.splice(0, 1, ...(discounts.length > 0 ? [] : [off.id]));
      });
    },
    function credit() {
      fake.editSubscription(id, ({ customer }) => {
        const owner = state.customer.get(customer);
        if (owner) owner.balance -= random(60_000);
      });
    },
    function phone() {
      state.product.set('prod_phone', { id: 'prod_phone', object: 'product', name: 'Phone' });
      fake.editSubscription(id, ({ items: { data } }) => {
        const [plan] = data;
        if (!plan || data.some(({ price }) => price.product === 'prod_phone')) return;
        const phone = { id: 'prod_phone', object: 'product' as const, name: 'prod_phone' };
        state.product.set(phone.id, phone);
        const price = { ...plan.price, product: 'prod_phone', unit_amount: 2_000 };
        data.push({ ...plan, id: `si_phone_${id}`, price, quantity: 3 });
      });
    },
    function visit() {
      fake.addToNextBill(id, `Visit ${random(1_000)}`, cents());
    },
    function partRefund() {
      if (kept) fake.refundCharge(kept.id, Math.min(cents(), kept.amount - kept.amount_refunded));
    },
    function partDispute() {
      const disputed = charges.at(-1);
      if (disputed && disputed.amount > 10_000) fake.openDispute(disputed.payment_intent, cents());
    },
    function decideDispute() {
      const [dispute] = open;
      if (dispute) fake.closeDispute(dispute.id, random(2) === 0 ? 'won' : 'lost');
    },
    function schedule() {
      if (!state.subscription.get(id)?.schedule) fake.scheduleChange(id);
    },
    function again() {
      if (state.subscription.get(id)?.default_payment_method) fake.beginAnew(id);
    },
    function salesTax() {
      fake.editSubscription(id, (running) => {
        const enabled = !running.automatic_tax.enabled;
        running.automatic_tax = { enabled, disabled_reason: null };
      });
    },
    function correctCustomer() {
      fake.editCustomer(state.subscription.get(id)?.customer ?? '', (customer) => {
        customer.phone = `(770) 555-0${100 + random(100)}`;
        customer.tax_exempt = random(4) === 0 ? 'exempt' : 'none';
      });
    },
  ];
}

/** Stripe gets announced prices in the last hours of a month. */
async function lifeAtStripe(
  shop: StripeShop,
  by: (typeof WAYS)[number],
  email: string,
  seed: number,
): Promise<Life> {
  const { fake } = shop;
  const pay = async () => {
    await fake.settled();
    const invoice = [...fake.state.invoice.values()].at(-1);
    if (by !== 'invoice' || !invoice) return;
    if (invoice.status === 'draft') fake.finalize(invoice.id);
    if (invoice.status === 'open' && invoice.amount_due > 0)
      fake.receiveMoney(invoice.id, 'us_bank_account');
    await fake.settled();
  };
  const bought =
    by === 'invoice'
      ? await byInvoice(shop.app, email)
      : await paidOrder(shop, {
          ...ESSENTIAL,
          ...(by === 'card' ? { email } : await withStart(shop.app, email, seed)),
          postalCode: '30301',
        });
  await pay();
  const subscription = (await rowOf(shop, bought.orderId)).subscription.subscriptionId ?? '';
  const periodEnd = () => {
    const [item] = fake.state.subscription.get(subscription)?.items.data ?? [];
    return (item?.current_period_end ?? 0) * 1000;
  };
  const context = intervalsOf(shop);
  return {
    app: shop.app,
    ...bought,
    loseAnswers: () =>
      fake.failNext({
        method: 'POST',
        path: /^\/v1\/(?!test)/,
        how: 'reset-after-execution',
        times: 9,
      }),
    answerAgain: () => fake.clearFaults(),
    async edit(random) {
      const acts = inDashboard(fake, subscription, random);
      const what = acts[random(acts.length)];
      what?.();
      count(`edits: ${what?.name}`);
      await fake.settled();
    },
    wait: () => void vi.setSystemTime(Date.now() + 60_000),
    end: async () => void vi.setSystemTime(periodEnd() - HOUR_MS),
    async apply() {
      fake.failNext({
        method: 'POST',
        path: /^\/v1\/subscriptions/,
        how: 'reset-after-execution',
        times: 9,
      });
      await applyNotices(context, () => false);
      fake.clearFaults();
      await applyNotices(context, () => false);
      await fake.settled();
    },
    async renew(hasDraft) {
      vi.setSystemTime(periodEnd());
      const invoice = fake.renew(subscription, { pay: true, draft: hasDraft });
      if (hasDraft && invoice) {
        vi.setSystemTime(Date.now() + HOUR_MS / 6);
        await applyNotices(context, () => false);
        if (by !== 'invoice') fake.chargeDraft(invoice.id);
      }
      await pay();
    },
  };
}

test.each([
  ['card', 8],
  ['invoice', 0],
  ['start', 8],
] as const)(
  'at Stripe, by %s, with %i percent sales tax',
  async (by, taxPercent) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const begin = Date.now();
    const tax = { STRIPE_TAX: taxPercent > 0 ? 'on' : 'off' };
    const shop = await openShop({ ...WITH_MAIL, ...tax }, { taxPercent }, CONTENT);
    onTestFinished(() => shop.close());
    shop.fake.autoDeliver(shop.webhook);
    const ids: number[] = [];
    for (let seed = 1; seed <= LIVES; seed += 1) {
      vi.setSystemTime(begin);
      const email = `buyer-${seed}@dealer.example`;
      const life = await lifeAtStripe(shop, by, email, seed);
      ids.push(life.orderId);
      await live(life, seededRandom(seed + FIRST)).catch(ofLife(seed));
    }
    expect(await booksDisagree(shop.app.database.db, { fake: shop.fake, ids })).toEqual([]);
    report(`at Stripe, by ${by}, ${taxPercent} %`);
  },
  3_600_000,
);
