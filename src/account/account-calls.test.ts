/** What customers do on their own page, whatever the payment provider answers. */

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { callDirectly } from '../../tests/support/call-directly.ts';
import { NO_BACKUP } from '../../tests/support/own-page.ts';
import { line, notesOf, savedOrder } from '../../tests/support/saved-order.ts';
import { siteWith } from '../../tests/support/site-with.ts';
import { standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { PaymentChecks } from '../billing/follow-payment.server.ts';
import { getOrder } from '../billing/order-store.server.ts';
import { allowAccess, receiptLink } from '../orders/order-access.server.ts';
import { newToken, tokenHash } from '../platform/http/cookies.server.ts';
import { cents } from '../platform/money.ts';
import type { Site } from '../platform/site.server.ts';
import { accountCalls } from './account-calls.server.ts';

const app = sharedTestApp();

let gateway: ReturnType<typeof standInGateway>;
const notify = vi.fn<Site['notify']>(async () => undefined);
beforeEach(() => {
  gateway = standInGateway();
  gateway.cancel.mockResolvedValue('unavailable');
  notify.mockClear();
});
const notified = () => notify.mock.calls.map(([, { kind }]) => kind);

const secondsAgo = (seconds: number) =>
  new Date((Math.floor(Date.now() / 1000) - seconds) * 1000).toISOString();
const WANTED = { users: 12, backup: true, from: NO_BACKUP };
const KEY_TOKEN = newToken();

/** The page of a paid order with ten users, in a browser that may change it. */
async function page(change: object = {}) {
  const { db } = app.database;
  const order = await savedOrder(db, {
    status: 'paid',
    ms365Option: 'business_standard',
    amountCents: cents(575_00),
    priceLines: JSON.stringify([line('plan', 45_000), line('microsoft365', 1_250, 10)]),
    ...change,
  });
  await allowAccess(db, order.id, tokenHash(KEY_TOKEN) ?? '', 'placed it');
  const token = new URL(
    await receiptLink({ db, publicUrl: 'https://shop.example' }, order),
  ).hash.slice(1);
  const price = { cloudBackup: { label: 'Cloud backup', pricePerUser: cents(495) } };
  const addOnPrices = () => price as ReturnType<Site['addOnPrices']>;
  const paymentChecks = new PaymentChecks();
  const calls = accountCalls(siteWith({ db, gateway, notify, paymentChecks, addOnPrices }));
  const countTowardLimit = vi.fn();
  return {
    order,
    countTowardLimit,
    ask: (what: string, body: object = {}) =>
      callDirectly(calls, `POST /api/order-page${what && `/${what}`}`, {
        body: { token, ...body },
        headers: { cookie: `order_key=${KEY_TOKEN}` },
        countTowardLimit,
      }),
    now: () => getOrder(db, order),
    notes: () => notesOf(db, order.id),
  };
}

const refusal = (message: string) => ({ status: 409, json: { message } });
const CHANGED = refusal('The price has changed. Please look at it again.');

describe('while the provider is unavailable', () => {
  test('the page shows the order and its payments, and says that billing is unavailable', async () => {
    const { ask } = await page();
    expect(await ask('')).toMatchObject({
      status: 200,
      json: { billingUnavailable: true, running: null, payments: [], order: { ms365Users: 10 } },
    });
  });

  test.each<[string, object, object]>([
    ['change', { ...WANTED, at: secondsAgo(0), next: 700 }, {}],
    ['cancel', {}, {}],
    ['keep', {}, { cancelAt: Date.now() + 86_400_000 }],
    ['card/use', { clientSecret: 'seti_1_secret_x' }, {}],
  ])('%s answers 503 and changes nothing', async (what, body, state) => {
    const { ask, order, now, countTowardLimit } = await page(state);
    const message = 'Payments are unavailable right now. Please try again.';
    expect(await ask(what, body)).toMatchObject({ status: 503, json: { message } });
    expect(await now()).toEqual(order);
    expect(countTowardLimit).toHaveBeenCalledTimes(1);
    expect(notify).not.toHaveBeenCalled();
  });
});

test('a customer reads why the provider refuses a card, a cancellation or its withdrawal', async () => {
  const message = 'Your card was declined.';
  const { finishCard, resume } = gateway.subscriptions;
  for (const call of [finishCard, resume, gateway.cancel])
    call.mockResolvedValue({ refused: message });
  const { ask } = await page();
  expect(await ask('card/use', { clientSecret: 'seti_1' })).toMatchObject(refusal(message));
  expect(await ask('cancel')).toMatchObject(refusal(message));
  const ending = await page({ cancelAt: Date.now() });
  expect(await ending.ask('keep')).toMatchObject(refusal(message));
});

test('a customer cannot change a plan that is over or that another provider runs', async () => {
  const over = await page({ status: 'canceled' });
  const foreign = await page({ provider: 'test' });
  for (const what of ['cancel', 'keep', 'card', 'card/use']) {
    const body = what === 'card/use' ? { clientSecret: 'seti_1' } : {};
    expect(await over.ask(what, body)).toMatchObject(refusal('This plan isn’t running any more.'));
    expect(await foreign.ask(what, body)).toMatchObject(
      refusal('This can’t be done here. Please call us.'),
    );
  }
  expect((await foreign.ask('')).json).toMatchObject({ billingUnavailable: false, running: null });
  expect(gateway.cancel).not.toHaveBeenCalled();
});

test('a replaced card is noted and notifies once, even if the request is repeated, and the page shows that the overdue month is paid', async () => {
  const card = { brand: 'Visa', last4: '4242', expiryMonth: 12, expiryYear: 2029 };
  const { getSubscription, finishCard } = gateway.subscriptions;
  getSubscription.mockResolvedValue({ periodEnd: Date.now(), next: null, card });
  finishCard.mockResolvedValue('done');
  gateway.fetchPaymentState.mockResolvedValue({ status: 'active' });
  const { ask, notes } = await page({ status: 'past_due' });
  for (const _twice of [1, 2])
    expect(await ask('card/use', { clientSecret: 'seti_1_secret_x' })).toMatchObject({
      status: 200,
      json: { order: { status: 'paid' } },
    });
  expect(notified()).toEqual(['order-card-replaced']);
  expect(await notes()).toEqual(['The customer replaced the card: Visa ending in 4242']);
});

test('a billing address has at most 6 lines and 300 characters, and a blank one removes it', async () => {
  const { ask } = await page();
  const address = '12 Peachtree Street\nSmyrna, GA 30080';
  expect((await ask('address', { address })).json.billingAddress).toBe(address);
  expect((await ask('address', { address: ' ' })).json.billingAddress).toBeNull();
  await expect(ask('address', { address: '1\n2\n3\n4\n5\n6\n7' })).rejects.toThrow('6 lines');
  await expect(ask('address', { address: 'x'.repeat(301) })).rejects.toThrow('300');
});

describe('a customer who changes the plan', () => {
  const inADay = Date.now() + 86_400_000;
  const next = (total: number) => ({ at: inADay, total: cents(total), tax: cents(0) });
  const upgrade = { monthly: cents(659_40), difference: cents(40_60), next: next(700_00) };
  const body = (at = secondsAgo(0)) => ({ ...WANTED, at, next: 700 });
  beforeEach(() => {
    const { preview, change } = gateway.subscriptions;
    preview.mockResolvedValue(upgrade);
    change.mockImplementation(async (_order, { lines }) => {
      gateway.fetchPaymentState.mockResolvedValue({ status: 'active', lines });
      return 'done';
    });
  });

  test('gets it once, with tax in proportion, even if the process dies after the provider’s answer and two tabs retry', async () => {
    const { ask, order, now, notes } = await page({ totalCents: cents(600_00) });
    gateway.fetchPaymentState.mockResolvedValueOnce('unavailable');
    expect((await ask('change', body())).status).toBe(503);
    expect(await now()).toEqual(order);
    const retries = await Promise.all([ask('change', body()), ask('change', body())]);
    // At once, the second reads that the first is being made.
    expect(retries.map(({ status }) => status).sort()).toEqual([200, 409]);
    const totalCents = 659_40 + Math.round((25_00 * 659_40) / 575_00);
    expect((await now()).subscription).toMatchObject({ amountCents: 659_40, totalCents });
    // A tab that still shows the old plan learns that the change is made.
    expect((await ask('change', { ...body(), at: new Date(0).toISOString() })).status).toBe(200);
    expect(await notes()).toHaveLength(1);
    expect(notified()).toEqual(['order-changed']);
  });

  test('must look again at a price that was shown more than 15 minutes ago', async () => {
    const { ask } = await page();
    expect(await ask('change', body(secondsAgo(16 * 60)))).toMatchObject(CHANGED);
    expect(gateway.subscriptions.change).not.toHaveBeenCalled();
  });

  test('has fewer users from the moment at which the price was shown, at no higher price', async () => {
    const { ask } = await page();
    const { preview, change } = gateway.subscriptions;
    const at = secondsAgo(300);
    const lower = { users: 5, backup: false, from: NO_BACKUP, at, next: 700 };
    const downgrade = { monthly: cents(512_50), difference: cents(-60_00) };
    preview.mockResolvedValue({ ...downgrade, next: next(700_01) });
    expect(await ask('change', lower)).toMatchObject(CHANGED);
    expect(change).not.toHaveBeenCalled();
    preview.mockResolvedValue({ ...downgrade, next: next(700_00) });
    expect((await ask('change', lower)).status).toBe(200);
    expect(change.mock.calls.map(([, { at: time }]) => time)).toEqual([Date.parse(at)]);
  });
});
