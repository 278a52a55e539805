/** Another card for a running subscription: entered, confirmed, charged, or refused. */
import { describe, expect, test } from 'vitest';
import {
  ASKS,
  ASKS_ALWAYS,
  DECLINES,
  openSubscriptions,
  REFUSED_LATER,
  refused,
  subscriptionsAt,
} from '../../support/running-subscription.ts';
import { sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();
const { running, open } = subscriptionsAt(shop);
const MASTERCARD = '5555555555554444';

type Running = Awaited<ReturnType<typeof running>>;

/** A card is entered for this order in the browser; gives the secret that it was entered with. */
async function entered({ order }: Running, card: string): Promise<string> {
  const begun = await open().startCard(order);
  if (begun === 'unavailable' || 'refused' in begun)
    throw new Error('the card could not be entered');
  shop.fake.confirmCard(begun.clientSecret, card);
  return begun.clientSecret;
}

/** The renewal has failed. */
async function overdue(): Promise<Running & { invoice: string }> {
  const made = await running();
  const invoice = shop.fake.renew(made.subscription.id, { pay: false });
  expect(made.subscription.status).toBe('past_due');
  return { ...made, invoice: invoice?.id ?? '' };
}

const last4 = async ({ order }: Running) => {
  const standing = await open().getSubscription(order);
  return typeof standing === 'object' && 'card' in standing ? standing.card?.last4 : standing;
};
const chargesOf = ({ subscription: { customer } }: Running) =>
  [...shop.fake.state.charge.values()].filter((charge) => charge.customer === customer);

describe('a card that the bank confirms', () => {
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

  test('after it has asked the customer', async () => {
    const made = await running();
    const secret = await entered(made, ASKS);
    expect(await open().finishCard(made.order, secret)).toEqual(refused('did not confirm'));
    shop.fake.authenticate(secret, false);
    expect(await open().finishCard(made.order, secret)).toEqual(refused('did not confirm'));
    shop.fake.confirmCard(secret, ASKS);
    shop.fake.authenticate(secret, true);
    expect(await open().finishCard(made.order, secret)).toBe('done');
    expect(await last4(made)).toBe('3155');
  });

  test('pays what is overdue at once, and no more than once', async () => {
    const made = await overdue();
    const secret = await entered(made, MASTERCARD);
    const finish = () => open().finishCard(made.order, secret);
    expect(await Promise.all([finish(), finish()])).toEqual(['done', 'done']);
    expect(await finish()).toBe('done');
    expect(made.subscription.status).toBe('active');
    expect(shop.fake.state.invoice.get(made.invoice)?.status).toBe('paid');
    expect(chargesOf(made).filter(({ paid }) => paid)).toHaveLength(2);
  });

  test.each([
    ['reading what was entered', 'GET', /^\/v1\/setup_intents\//, 'status-500-kept'],
    ['making it the subscription’s', 'POST', /^\/v1\/subscriptions\/sub_/, 'reset-after-execution'],
    ['paying', 'POST', /\/pay$/, 'status-500-kept'],
  ] as const)('pays once although Stripe was away while %s', async (_step, method, path, how) => {
    const made = await overdue();
    const secret = await entered(made, MASTERCARD);
    shop.fake.failNext({ method, path, how, times: 3 });
    expect(await open().finishCard(made.order, secret)).toBe('unavailable');
    shop.fake.clearFaults();
    expect(await open().finishCard(made.order, secret)).toBe('done');
    expect(made.subscription.status).toBe('active');
    expect(chargesOf(made).filter(({ paid }) => paid)).toHaveLength(2);
    expect(await last4(made)).toBe('4444');
  });

  test('pays nothing more where Stripe’s own attempt was faster', async () => {
    const made = await overdue();
    const secret = await entered(made, MASTERCARD);
    shop.fake.failNext({ how: 'slow', ms: 1200, method: 'POST', path: /\/pay$/ });
    const finished = open().finishCard(made.order, secret);
    await expect
      .poll(() => shop.fake.requests.some(({ path, status }) => path.endsWith('/pay') && !status))
      .toBe(true);
    shop.fake.retryInvoice(made.invoice, { pay: true });
    expect(await finished).toBe('done');
    expect(chargesOf(made).filter(({ paid }) => paid)).toHaveLength(2);
  });
});

describe('a card that is refused for what is overdue', () => {
  test.each([
    [REFUSED_LATER, 'Your card was declined.', '0341'],
    [ASKS_ALWAYS, 'needs your approval', '3184'],
  ])('%s stays, and its holder reads why', async (card, words, digits) => {
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

describe('no card', () => {
  test('of somebody else', async () => {
    const [made, other] = [await running(), await running()];
    const secret = await entered(other, MASTERCARD);
    expect(await open().finishCard(made.order, secret)).toEqual(refused('couldn’t save'));
    expect(await last4(made)).toBe('4242');
    expect(await last4(other)).toBe('4242');
  });

  test('by a secret that is not one, or not the whole', async () => {
    const made = await running();
    const secret = await entered(made, MASTERCARD);
    const [id] = secret.split('_secret_');
    const payment = shop.fake.state.payment_intent.values().next().value?.client_secret;
    const asked = async (each: string) => {
      const before = shop.fake.requests.length;
      expect(await open().finishCard(made.order, each)).toEqual(refused('couldn’t save'));
      const paths = shop.fake.requests.slice(before).map(({ path }) => path);
      return paths.filter((path) => !path.startsWith('/v1/subscriptions/'));
    };
    for (const each of [`${id}_secret_guessed`, `${secret}x`])
      expect(await asked(each)).toEqual([`/v1/setup_intents/${id}`]);
    const malformed = [
      '',
      payment ?? '',
      'seti_x/../../customers_secret_x',
      `seti_${'x'.repeat(20_000)}_secret_x`,
    ];
    for (const each of malformed) expect(await asked(each)).toEqual([]);
    expect(await last4(made)).toBe('4242');
  });

  test('that the bank declines', async () => {
    const made = await running();
    const secret = await entered(made, DECLINES);
    expect(await open().finishCard(made.order, secret)).toEqual(refused('did not confirm'));
    expect(await last4(made)).toBe('4242');
  });

  test('for what has ended, or was never paid', async () => {
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
