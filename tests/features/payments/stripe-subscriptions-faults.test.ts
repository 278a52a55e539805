/** Stripe is away, or its answer is lost, at each step of what a customer does: trying again does it once. */
import { describe, expect, test } from 'vitest';
import type { Fault } from '../../support/fake-stripe/faults.ts';
import { type LogLine, logged } from '../../support/logged.ts';
import { newOrders } from '../../support/order-at-stripe.ts';
import { month, openSubscriptions, runningOrder } from '../../support/running-subscription.ts';
import { sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const open = () => openSubscriptions(shop).subscriptions;
/** As many as one call makes of one request. */
const TRIES = 3;

/** A subscription whose renewal has failed, or not, and a card that was entered for it. */
async function prepared(overdue: boolean) {
  const made = await runningOrder(shop, newOrder);
  const { order, subscription, period } = made;
  const begun = await open().startCard(order);
  if (begun === 'unavailable' || 'refused' in begun)
    throw new Error('the card could not be entered');
  shop.fake.confirmCard(begun.clientSecret, '5555555555554444');
  if (overdue) shop.fake.renew(subscription.id, { pay: false });
  const change = { lines: month(30), at: ((period.start + period.end) / 2) * 1000 };
  return { ...made, change, secret: begun.clientSecret };
}

const LOOK = { method: 'GET', path: /^\/v1\/subscriptions\/sub_/ };
const UPDATE = { method: 'POST', path: /^\/v1\/subscriptions\/sub_/ };
const PREVIEW = { method: 'POST', path: '/v1/invoices/create_preview' };
const SETUP = { method: 'GET', path: /^\/v1\/setup_intents\/seti_/ };
const CUSTOMER = { method: 'POST', path: /^\/v1\/customers\/cus_/ };
const BILLS = { method: 'GET', path: '/v1/invoices' };
const PAY = { method: 'POST', path: /\/pay$/ };

/** The answer is lost though all was done; or there is one, and Stripe repeats it. */
const HOWS = ['reset-after-execution', 'status-500-kept'] as const;
const everyHow = (cases: [step: string, where: Pick<Fault, 'method' | 'path'>][]) =>
  cases.flatMap(([step, where]) => HOWS.map((how) => ({ step, where, how })));

/** A site of another test that is just stopping may log too. */
const aboutStripe = (lines: readonly LogLine[]) =>
  lines.filter(({ event }) => event === 'stripe-failed');

describe('a change', () => {
  const make = ({ order, change }: Awaited<ReturnType<typeof prepared>>) =>
    open().change(order, change);

  test.each([
    ['looking', LOOK, 'status-500-kept'],
    ['updating', UPDATE, 'reset-after-execution'],
  ] as const)('is made once although Stripe was away while %s', async (_step, where, how) => {
    const at = await prepared(false);
    const shown = await open().preview(at.order, at.change);
    shop.fake.failNext({ ...where, how, times: TRIES });
    const lines = await logged(async () => expect(await make(at)).toBe('unavailable'));
    expect(aboutStripe(lines)).toMatchObject([{ during: 'change' }]);
    shop.fake.clearFaults();
    expect(await make(at)).toBe('done');
    expect(await make(at)).toBe('done');
    const bill = shop.fake.renew(at.subscription.id, { pay: true });
    expect(shown).toMatchObject({ next: { total: bill?.amount_due } });
    const waiting = [...shop.fake.state.invoiceitem.values()];
    expect(waiting.filter(({ subscription }) => subscription === at.subscription.id)).toEqual([]);
  });

  test('that Stripe has failed to make is made when the customer has looked at it again', async () => {
    const at = await prepared(false);
    shop.fake.failNext({ ...UPDATE, how: 'status-500-kept' });
    expect(await make(at)).toBe('unavailable');
    const change = { ...at.change, at: at.change.at + 1000 };
    expect(await make({ ...at, change })).toBe('done');
    expect(at.subscription.items.data[1]?.quantity).toBe(30);
  });
});

describe('what only looks', () => {
  test.each([
    ['getSubscription', LOOK],
    ['getSubscription', PREVIEW],
    ['preview', LOOK],
    ['preview', PREVIEW],
  ] as const)('%s is away while Stripe is: %j', async (what, where) => {
    const { order, change } = await prepared(false);
    const ask = () =>
      what === 'getSubscription' ? open().getSubscription(order) : open().preview(order, change);
    shop.fake.failNext({ ...where, how: 'status-503', times: 2 * TRIES });
    const lines = await logged(async () => expect(await ask()).toBe('unavailable'));
    expect(aboutStripe(lines)).toMatchObject([{ event: 'stripe-failed', during: what }]);
    shop.fake.clearFaults();
    expect(await ask()).toHaveProperty('next');
  });
});

describe('going on', () => {
  test.each(
    everyHow([
      ['looking', LOOK],
      ['updating', UPDATE],
    ]),
  )('is possible after Stripe was away while $step: $how', async ({ where, how }) => {
    const { order, subscription } = await prepared(false);
    await openSubscriptions(shop).gateway.cancel(order, 'period-end');
    shop.fake.failNext({ ...where, how, times: TRIES });
    const lines = await logged(async () => expect(await open().resume(order)).toBe('unavailable'));
    expect(aboutStripe(lines)).toMatchObject([{ during: 'resume' }]);
    shop.fake.clearFaults();
    expect(await open().resume(order)).toBe('done');
    expect(subscription.cancel_at).toBeNull();
  });
});

describe('another card', () => {
  test.each(
    everyHow([
      ['looking', LOOK],
      ['reading what was entered', SETUP],
      ['making it the subscription’s', UPDATE],
      ['making it the customer’s', CUSTOMER],
      ['looking for what is overdue', BILLS],
      ['paying', PAY],
    ]),
  )('pays once although Stripe was away while $step: $how', async ({ where, how }) => {
    const { order, subscription, secret } = await prepared(true);
    shop.fake.failNext({ ...where, how, times: TRIES });
    const finish = () => open().finishCard(order, secret);
    const done = where === PAY && how === 'reset-after-execution' ? 'done' : 'unavailable';
    const lines = await logged(async () => expect(await finish()).toBe(done));
    expect(aboutStripe(lines)).toMatchObject([
      { during: where === PAY ? 'pay-overdue' : 'finish-card' },
    ]);
    shop.fake.clearFaults();
    expect(await open().finishCard(order, secret)).toBe('done');
    expect(subscription.status).toBe('active');
    const paid = [...shop.fake.state.charge.values()].filter(
      (charge) => charge.paid && charge.customer === subscription.customer,
    );
    expect(paid).toHaveLength(2);
    expect(await open().getSubscription(order)).toMatchObject({ card: { last4: '4444' } });
  });
});
