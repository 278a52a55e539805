/** A customer replaces the card of a running subscription. */
import { describe, expect, test } from 'vitest';
import { linkOf } from '../../support/own-page.ts';
import {
  ASKS,
  ASKS_ALWAYS,
  openSubscriptions,
  REFUSED_LATER,
  refused,
  subscriptionsAt,
} from '../../support/running-subscription.ts';
import { notesOf } from '../../support/saved-order.ts';
import { paidOrder, rowOf, sharedShop, subscriptionOf } from '../../support/stripe-shop.ts';

const shop = sharedShop();
const { running, open } = subscriptionsAt(shop);
const MASTERCARD = '5555555555554444';

type Running = Awaited<ReturnType<typeof running>>;

/** Enters a card in the browser; returns its setup secret. */
async function entered({ order }: Running, card: string): Promise<string> {
  const begun = await open().startCard(order);
  if (begun === 'unavailable' || 'refused' in begun)
    throw new Error('the card could not be entered');
  shop.fake.confirmCard(begun.clientSecret, card);
  return begun.clientSecret;
}

/** A subscription whose renewal has failed. */
async function overdue(): Promise<Running & { invoice: string }> {
  const made = await running();
  const invoice = shop.fake.renew(made.subscription.id, { pay: false });
  expect(made.subscription.status).toBe('past_due');
  return { ...made, invoice: invoice?.id ?? '' };
}

const last4 = async ({ order }: Running) => {
  const seen = await open().getSubscription(order);
  return typeof seen === 'object' && 'card' in seen ? seen.card?.last4 : seen;
};
const chargesOf = ({ subscription: { customer } }: Running) =>
  [...shop.fake.state.charge.values()].filter((charge) => charge.customer === customer);

describe('a confirmed card', () => {
  test('is charged from then on', async () => {
    const made = await running();
    const secret = await entered(made, MASTERCARD);
    expect(await last4(made)).toBe('4242');
    expect(await open().finishCard(made.order, secret)).toBe('done');
    expect(await open().finishCard(made.order, secret)).toBe('done');
    expect(await last4(made)).toBe('4444');
    expect(chargesOf(made)).toHaveLength(1);
    shop.fake.renew(made.subscription.id, { pay: true });
    const method = made.subscription.default_payment_method;
    expect(chargesOf(made).at(-1)?.payment_method).toBe(method);
  });

  test('needs 3-D Secure where the bank requires it', async () => {
    const made = await running();
    const secret = await entered(made, ASKS);
    expect(await open().finishCard(made.order, secret)).toEqual(refused('did not confirm'));
    shop.fake.authenticate(secret, false);
    expect(await open().finishCard(made.order, secret)).toEqual(refused('did not confirm'));
    expect(await last4(made)).toBe('4242');
    shop.fake.confirmCard(secret, ASKS);
    shop.fake.authenticate(secret, true);
    expect(await open().finishCard(made.order, secret)).toBe('done');
    expect(await last4(made)).toBe('3155');
  });

  test('pays an overdue invoice at once, and only once', async () => {
    const made = await overdue();
    const secret = await entered(made, MASTERCARD);
    const finish = () => open().finishCard(made.order, secret);
    expect(await Promise.all([finish(), finish()])).toEqual(['done', 'done']);
    expect(await finish()).toBe('done');
    expect(made.subscription.status).toBe('active');
    expect(shop.fake.state.invoice.get(made.invoice)?.status).toBe('paid');
    expect(chargesOf(made).filter(({ paid }) => paid)).toHaveLength(2);
  });

  test('pays the oldest overdue invoice first, so that what it cannot pay stays overdue', async () => {
    const made = await overdue();
    const newest = shop.fake.renew(made.subscription.id, { pay: false })?.id;
    expect(await open().finishCard(made.order, await entered(made, MASTERCARD))).toBe('done');
    const paid = shop.fake.requests.filter(({ path }) => path.endsWith('/pay')).slice(-2);
    const all = [made.invoice, newest].map((id) => `/v1/invoices/${id}/pay`);
    expect(paid.map(({ path }) => path)).toEqual(all);
  });

  test.each([
    ['saving it', 'POST', /^\/v1\/subscriptions\/sub_/, 'reset-after-execution'],
    ['paying', 'POST', /\/pay$/, 'status-500-kept'],
  ] as const)(
    'pays an overdue invoice once although Stripe failed while %s',
    async (_step, method, path, how) => {
      const made = await overdue();
      const secret = await entered(made, MASTERCARD);
      shop.fake.failNext({ method, path, how, times: 3 });
      expect(await open().finishCard(made.order, secret)).toBe('unavailable');
      shop.fake.clearFaults();
      expect(await open().finishCard(made.order, secret)).toBe('done');
      expect(made.subscription.status).toBe('active');
      expect(chargesOf(made).filter(({ paid }) => paid)).toHaveLength(2);
      expect(await last4(made)).toBe('4444');
    },
  );
});

describe('a card that cannot pay the overdue invoice', () => {
  test.each([
    [REFUSED_LATER, 'its bank declined', '0341'],
    [ASKS_ALWAYS, 'needs your approval', '3184'],
  ])('%s stays on the subscription, and the customer reads %s', async (card, words, digits) => {
    const made = await overdue();
    const secret = await entered(made, card);
    if (card === ASKS_ALWAYS) shop.fake.authenticate(secret, true);
    expect(await open().finishCard(made.order, secret)).toEqual(refused(words));
    expect(await last4(made)).toBe(digits);
    expect(made.subscription.status).toBe('past_due');
    const better = await entered(made, MASTERCARD);
    expect(await open().finishCard(made.order, better)).toBe('done');
    expect(made.subscription.status).toBe('active');
  });
});

describe('the card stays', () => {
  test('when another customer’s secret is sent', async () => {
    const [made, other] = [await running(), await running()];
    const secret = await entered(other, MASTERCARD);
    expect(await open().finishCard(made.order, secret)).toEqual(refused('couldn’t save'));
    expect(await last4(made)).toBe('4242');
    expect(await last4(other)).toBe('4242');
  });

  test('when the secret is wrong or malformed', async () => {
    const made = await running();
    const secret = await entered(made, MASTERCARD);
    const [id] = secret.split('_secret_');
    const payment = shop.fake.state.payment_intent.values().next().value?.client_secret;
    await shop.fake.settled();
    const requestsFor = async (each: string) => {
      const before = shop.fake.requests.length;
      expect(await open().finishCard(made.order, each)).toEqual(refused('couldn’t save'));
      const paths = shop.fake.requests.slice(before).map(({ path }) => path);
      return paths.filter((path) => !path.startsWith('/v1/subscriptions/'));
    };
    for (const each of [`${id}_secret_guessed`, `${secret}x`])
      expect(await requestsFor(each)).toEqual([`/v1/setup_intents/${id}`]);
    const malformed = [
      '',
      payment ?? '',
      'seti_x/../../customers_secret_x',
      `seti_${'x'.repeat(20_000)}_secret_x`,
    ];
    for (const each of malformed) expect(await requestsFor(each)).toEqual([]);
    expect(await last4(made)).toBe('4242');
  });

  test('when the subscription has ended or was never paid', async () => {
    const made = await running();
    const secret = await entered(made, MASTERCARD);
    await openSubscriptions(shop).gateway.cancel(made.order, 'now');
    expect(await open().startCard(made.order)).toEqual(refused('has ended'));
    expect(await open().finishCard(made.order, secret)).toEqual(refused('has ended'));
    const never = await running({ card: null });
    expect(await open().startCard(never.order)).toEqual(refused('isn’t running'));
    expect(await open().finishCard(never.order, secret)).toEqual(refused('isn’t running'));
  });
});

test('a card that Stripe has saved is noted, and mailed, though the server died before it could say so', async () => {
  const placed = await paidOrder(shop);
  await shop.fake.deliver(shop.fake.events, { to: shop.webhook });
  const id = await subscriptionOf(shop, placed);
  const { token } = await linkOf(shop.app, placed.orderId);
  const { clientSecret } = (await placed.visitor.post('/api/order-page/card', { token })).json;
  shop.fake.confirmCard(clientSecret, MASTERCARD);
  const row = await rowOf(shop, placed.orderId);
  expect(await open().finishCard(row, clientSecret)).toBe('done');
  const update = shop.fake.eventsOf('customer.subscription.updated');
  const [event] = update.filter(({ object }) => object.id === id).slice(-1);
  for (const _twice of [1, 2]) await shop.fake.deliver(event ? [event] : [], { to: shop.webhook });
  const replaced = (await notesOf(shop.app.database.db, placed.orderId)).filter((note) =>
    note.includes('replaced the card'),
  );
  expect(replaced).toEqual(['The customer replaced the card: Mastercard ending in 4444']);
});
