/** Random lives: what was announced is what Stripe charges, to the cent. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { changePlan, previewChange } from '../../src/account/change-plan.server.ts';
import { localDate, timesOf } from '../../src/company/hours.ts';
import { followNow, PaymentChecks } from '../../src/orders/follow-payment.server.ts';
import { type Gateway, isNotDone } from '../../src/orders/gateway.server.ts';
import { getOrder } from '../../src/orders/order-store.server.ts';
import { stripeClient } from '../../src/payments/stripe/stripe-client.server.ts';
import { setUpPriceChanges } from '../../src/payments/stripe/stripe-price-changes.server.ts';
import { cents } from '../../src/platform/money.ts';
import { priceCalls } from '../../src/price-changes/price-calls.server.ts';
import { callDirectly } from '../support/call-directly.ts';
import { ownContent } from '../support/own-content.ts';
import { PriceLife, type Prices, randomPrices } from '../support/price-life.ts';
import { type Month, ProrationOracle } from '../support/proration-oracle.ts';
import { openSubscriptions } from '../support/running-subscription.ts';
import { line, savedOrder, TEST_CAUSE } from '../support/saved-order.ts';
import { type Random, seededRandom } from '../support/seeded-random.ts';
import { sized } from '../support/sized.ts';
import { openShop, stripeEnv } from '../support/stripe-shop.ts';
import type { TestApp } from '../support/test-app.ts';

const DAY_MS = 86_400_000;
const LIVES = sized(6, 1000);
const MONTHS = 7;
const BASE: Prices = { plan: 45_000, seat: 1_250, backup: 495 };
const content = ownContent();
/** What a new backup costs. */
const backupToday = content.addOns.cloudBackup.at(-1)?.pricePerUser ?? 0;

const dollars = (amount: number) => amount / 100;

/** What staff and the customer do, by the product's own code, and what the oracle makes of it. */
function person(app: TestApp, gateway: Gateway, orderId: number, life: PriceLife, random: Random) {
  const { db } = app.database;
  const mails: string[] = [];
  const context = {
    db,
    gateway,
    paymentChecks: new PaymentChecks(),
    notify: async (_trx: unknown, { kind }: { kind: string }) => void mails.push(kind),
    addOnPrices: () => ({
      microsoft365: {} as never,
      cloudBackup: { label: 'backup', pricePerUser: cents(backupToday) },
    }),
  };

  async function give(now: number) {
    const prices = randomPrices(random, BASE);
    const day = localDate(content.company, now + random(80) * DAY_MS);
    const dayStart = timesOf(content.company, { from: day, to: '' })?.from ?? 0;
    const rows = { from: day };
    const calls = priceCalls({
      ...context,
      ...content,
      publicUrl: app.address,
      mail: true,
      plans: content.plans.map((plan) =>
        plan.id === 1 ? { ...plan, prices: [{ ...rows, price: cents(prices.plan) }] } : plan,
      ),
      addOns: {
        microsoft365: [
          ...content.addOns.microsoft365,
          { option: 'business_standard', label: 's', pricePerUser: cents(prices.seat), ...rows },
        ],
        cloudBackup: [
          ...content.addOns.cloudBackup,
          { label: 'b', pricePerUser: cents(prices.backup), ...rows },
        ],
      },
    });
    const after = dollars(life.monthly({ ...prices }));
    const body = { kind: 'price', day, orders: [{ id: orderId, after }] };
    const asked = { body, staff: true };
    const { json } = await callDirectly(calls, 'POST /api/admin/prices/notice', asked);
    const expected = life.announce(prices, now, dayStart);
    expect(json.done, JSON.stringify(json)).toBe(expected === null ? 0 : 1);
    if (!expected) return;
    const stored = await db
      .selectFrom('priceChanges')
      .selectAll()
      .where('orderId', '=', orderId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const total = JSON.parse(stored.toLines).reduce(
      (sum: number, { amount }: { amount: number }) => sum + amount,
      0,
    );
    expect([Number(stored.effectiveAt), total]).toEqual([expected.first, expected.monthly]);
    expect(mails.splice(0).filter((kind) => kind.startsWith('price'))).toEqual(['price-announced']);
  }

  async function takeBack() {
    const orders = [{ id: orderId, after: 0 }];
    const day = localDate(content.company, Date.now());
    const calls = priceCalls({ ...context, ...content, publicUrl: '', mail: true });
    const asked = { body: { kind: 'take-back', day, orders }, staff: true };
    const { json } = await callDirectly(calls, 'POST /api/admin/prices/notice', asked);
    expect(json.done).toBe(life.announced ? 1 : 0);
    life.announced = null;
    mails.splice(0);
  }

  /** Returns what the customer was shown. */
  async function change() {
    const order = await getOrder(db, { id: orderId });
    const from = { users: life.users, backup: life.backup };
    const wanted = { users: 5 + random(20), backup: random(2) > 0 };
    if (life.ending || (wanted.users === from.users && wanted.backup === from.backup)) return null;
    // A visitor's questions about one order wait for each other.
    const paymentChecks = new PaymentChecks();
    const shown = await previewChange({ ...context, paymentChecks }, order, { ...wanted, from });
    if (isNotDone(shown)) throw new Error(JSON.stringify(shown));
    const at = Date.parse(shown.at);
    const next = cents(Math.round(shown.next.total * 100));
    expect(await changePlan(context, order, { ...wanted, from }, { at, next })).toBe('done');
    if (wanted.backup && !life.backup) life.paid = { ...life.paid, backup: backupToday };
    life.users = wanted.users;
    life.backup = wanted.backup;
    mails.splice(0);
    return { at, next };
  }

  async function end(cancel: boolean) {
    const order = await getOrder(db, { id: orderId });
    if (cancel === life.ending) return;
    if (cancel) await gateway.cancel(order, 'period-end');
    else await gateway.subscriptions.resume(order);
    await followNow(context, order, TEST_CAUSE);
    life.ending = cancel;
  }
  return { context, give, takeBack, change, end };
}

const monthOf = ({ paid, users, backup }: PriceLife): Month =>
  new Map([
    ['plan', { unit: paid.plan, quantity: 1 }],
    ['microsoft365', { unit: paid.seat, quantity: users }],
    ...(backup ? ([['backup', { unit: paid.backup, quantity: users }]] as const) : []),
  ]);

test('at Stripe every invoice is what the oracle says, prorations and missed days included', async () => {
  let clock = Date.UTC(2031, 0, 30, 12);
  const moveTo = (time: number) => {
    clock = time;
    vi.setSystemTime(time);
  };
  vi.useFakeTimers({ toFake: ['Date'], now: clock });
  onTestFinished(() => void vi.useRealTimers());
  const shop = await openShop({}, { now: () => clock });
  const stripe = stripeClient(stripeEnv(shop.fake));
  const { db } = shop.app.database;
  const { gateway } = openSubscriptions(shop);
  for (let seed = 1; seed <= LIVES; seed += 1) {
    const random = seededRandom(5_000 + seed);
    moveTo(clock + (random(3) === 0 ? 31 : random(366)) * DAY_MS);
    const users = 5 + random(20);
    const lines = [line('plan', BASE.plan), line('microsoft365', BASE.seat, users)];
    const row = await savedOrder(db, {
      ms365Option: 'business_standard',
      ms365Users: users,
      amountCents: cents(BASE.plan + users * BASE.seat),
      priceLines: JSON.stringify(lines),
    });
    const begun = await gateway.start(row);
    if (typeof begun === 'string') throw new Error(begun);
    shop.fake.confirmCard(begun.clientSecret ?? '', '4242424242424242');
    const { due: _, ...ids } = begun;
    await db.updateTable('orders').set(ids).where('id', '=', row.id).execute();
    const life = new PriceLife(clock, BASE, users);
    const acts = person(shop.app, gateway, row.id, life, random);
    const { context, give, takeBack, change, end } = acts;
    const follow = () => followNow(context, row, TEST_CAUSE);
    await follow();
    const setUp = () => setUpPriceChanges({ ...context, stripe }, () => false, 0);
    for (let month = 0; month < MONTHS && !life.ended; month += 1) {
      const period = { start: life.start / 1000, end: life.end / 1000 };
      const oracle = new ProrationOracle(monthOf(life), period);
      const changes = async () => {
        const changed = await change();
        if (changed) oracle.change(monthOf(life), changed.at / 1000);
      };
      for (let left = random(4); left > 0; left -= 1) {
        const pause = random(Math.max(1, life.end - clock - DAY_MS));
        moveTo(clock + Math.floor(pause / 1_000) * 1_000);
        const what = random(10);
        if (what < 4) await give(clock);
        else if (what < 8) await changes();
        else if (what === 8) await end(random(3) === 0);
        else await takeBack();
      }
      moveTo(life.end - 3_600_000);
      const isAway = random(7) === 0;
      const isDue = life.due;
      if (!isAway) await setUp();
      await follow();
      if (isDue && !isAway) {
        const named = life.announced;
        life.applyDue();
        oracle.reprice(monthOf(life));
        if (random(3) === 0) {
          await changes();
          await setUp();
          await follow();
          if (named?.backup) life.paid = { ...life.paid, backup: named.prices.backup };
          oracle.reprice(monthOf(life));
        }
      }
      if (isDue && isAway && life.unchanged) life.applyDue();
      moveTo(life.end);
      const isEnding = life.ending;
      life.renew();
      const invoice = shop.fake.renew(begun.subscriptionId ?? '', { pay: true });
      await follow();
      if (!isEnding)
        expect(invoice?.amount_paid, `life ${seed}, month ${month}`).toBe(
          oracle.nextInvoice().total,
        );
    }
    if (!life.ended) shop.fake.cancelSubscription(begun.subscriptionId ?? '');
    await follow();
  }
  await shop.close();
}, 3_600_000);
