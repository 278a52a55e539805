/** The server dies in the midst of a story, at every step there is: in the end all books agree. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { ownBooksDisagree } from '../support/own-books.ts';
import { NO_BACKUP, shownPrice, TEN_USERS } from '../support/own-page.ts';
import { quotesDisagree } from '../support/quote-books.ts';
import { AMOUNT, ASKED } from '../support/quote-site.ts';
import type { RunningProcess } from '../support/server-process.ts';
import { sized } from '../support/sized.ts';
import { COUNTED, dyingSite, type Pace } from '../support/step-kills.ts';
import { stripeBooksDisagree } from '../support/stripe-books.ts';
import { PURCHASE, stripeVariables } from '../support/stripe-shop.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

const FINISHED = { timeout: 150_000 };

/** A mailbox gets few emails a day. */
const newEmail = () => `${randomUUID()}@dealer.example`;

describe('a quote', () => {
  const { testDeaths, disagreements } = dyingSite();

  async function save({ address }: RunningProcess, headers = {}) {
    const asked = { ...ASKED, email: newEmail() };
    return (await new Visitor(address).post('/api/quotes', asked, headers)).json;
  }

  /** Begins to pay it, and leaves it there. */
  function begin({ address }: RunningProcess, url: string, headers = {}) {
    const { planId, name, email, ms365Option, ms365Users, includeCloudBackup } = ASKED;
    const choice = { planId, name, email, ms365Option, ms365Users, includeCloudBackup };
    const body = { ...choice, amount: AMOUNT, quote: url.split('/').at(-1) };
    return new Visitor(address).post('/api/create-payment-intent', body, headers);
  }

  testDeaths(
    'killed while one is saved',
    { turn: 0, brief: [2, 3], deaths: [1, 5] },
    async (server) => Boolean((await save(server, COUNTED)).reference),
  );

  testDeaths(
    'killed while somebody pays what another has begun',
    { turn: 1, brief: [4, 11], deaths: [1, 20] },
    async (server) => {
      const { url } = await save(server);
      await begin(server, url);
      const { status, json } = await begin(server, url, COUNTED);
      if (status !== 200) return false;
      const confirm = { clientSecret: json.clientSecret, token: 'succeeds' };
      const path = '/api/test-payments/confirm';
      return (await new Visitor(server.address).post(path, confirm)).status === 200;
    },
  );

  const staffDo = async (server: RunningProcess, what: string, body?: object) => {
    const { url, reference } = await save(server);
    await begin(server, url);
    const staff = await signedIn(server.address);
    const path = `/api/admin/quotes/${reference.slice(2)}${what}`;
    return (await staff.post(path, body, COUNTED)).status === 200;
  };
  const BEGUN: Pace = { turn: 0, brief: [5, 13], deaths: [1, 15] };
  const changed = { ...ASKED, discount: null, days: 30, send: true };
  testDeaths('killed while staff change one that was begun', BEGUN, (server) =>
    staffDo(server, '', changed),
  );
  testDeaths('killed while staff withdraw one that was begun', { ...BEGUN, turn: 1 }, (server) =>
    staffDo(server, '/withdraw'),
  );

  test('after all that, quotes, links, orders and letters agree', FINISHED, async () => {
    expect(await disagreements(quotesDisagree)).toEqual([]);
  });
});

describe("a customer's plan", () => {
  const changed = dyingSite();
  /** There each death makes a month pass for everybody. */
  const renewed = dyingSite();

  /** A customer who has paid, and what they ask of their page. */
  async function customerAt({ address }: RunningProcess) {
    const visitor = new Visitor(address);
    const body = { ...TEN_USERS, email: newEmail() };
    const { clientSecret, orderId } = (await visitor.post('/api/create-payment-intent', body)).json;
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    const { page } = (await visitor.get(`/api/orders/${orderId}`)).json;
    const token = new URL(page).hash.slice(1);
    return (what: string, body: object = {}, headers = {}) =>
      visitor.post(`/api/order-page/${what}`, { token, ...body }, headers);
  }

  changed.testDeaths(
    'killed while it is changed',
    { turn: 0, brief: [3, 7], deaths: [1, 15] },
    async (server) => {
      const ask = await customerAt(server);
      const wanted = { users: 12, backup: true, from: NO_BACKUP };
      const shown = shownPrice((await ask('preview', wanted)).json);
      return (await ask('change', { ...wanted, ...shown }, COUNTED)).status === 200;
    },
  );

  changed.testDeaths(
    'killed while it is canceled',
    { turn: 1, brief: [2, 6], deaths: [1, 10] },
    async (server) => {
      const ask = await customerAt(server);
      return (await ask('cancel', {}, COUNTED)).status === 200;
    },
  );

  let hasBought = false;
  renewed.testDeaths(
    'killed while it renews',
    { turn: 0, brief: [5, 9], deaths: [1, 10] },
    async (server) => {
      if (!hasBought) await customerAt(server);
      hasBought = true;
      const staff = await signedIn(server.address);
      const { now } = (await staff.get('/api/admin/test-clock')).json;
      return (await staff.post('/api/admin/test-clock/ahead', { now }, COUNTED)).status === 200;
    },
  );

  test('after all that, orders, bills, changes and letters agree', FINISHED, async () => {
    for (const site of [changed, renewed])
      await expect
        .poll(() => site.disagreements(ownBooksDisagree), { timeout: 60_000 })
        .toEqual([]);
  });
});

describe('an order by Stripe', () => {
  let fake: FakeStripe;
  beforeAll(async () => {
    fake = await startFakeStripe();
  });
  afterAll(() => fake.close());
  const { testDeaths, disagreements } = dyingSite(() => stripeVariables(fake), settled);

  /** A start asks Stripe about all that was left over. */
  async function settled(starting: Promise<RunningProcess>): Promise<RunningProcess> {
    const before = fake.requests.length;
    const server = await starting;
    const requests = () => fake.requests.slice(before);
    const hasAsked = () =>
      requests().some(({ path, status }) => path === '/v1/events' && status > 0);
    await expect.poll(hasAsked, { timeout: 60_000 }).toBe(true);
    for (let seen = -1; seen !== requests().length; ) {
      seen = requests().length;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    return server;
  }

  /** A customer who buys once, on whatever server is there, and tries again in the same tab. */
  class Buyer {
    orderId: number | undefined;
    readonly #email = newEmail();
    readonly #key = randomUUID();
    #cookies: Visitor['cookies'] = new Map();

    /** From the order to the return address; gives the order's status. `headers` go with the first request. */
    async buy({ address }: RunningProcess, headers: Record<string, string> = {}) {
      const visitor = Object.assign(new Visitor(address), { cookies: this.#cookies });
      const { json } = await visitor.post(
        '/api/create-payment-intent',
        { ...PURCHASE, email: this.#email },
        { ...headers, 'Idempotency-Key': this.#key },
      );
      this.orderId = json.orderId;
      // A second try finds it paid, when only the answer was lost.
      await deliver(address, () => fake.confirmCard(json.clientSecret, '4242424242424242'));
      const path = `/api/orders/${json.orderId}/update-status`;
      return (await visitor.post(path, { status: 'processing' })).json.status;
    }
  }

  /** Delivers the events of what happens at Stripe meanwhile. */
  async function deliver(address: string, happen: () => unknown): Promise<void> {
    const before = fake.events.length;
    await happen();
    await fake.deliver(fake.events.slice(before), { to: `${address}/api/stripe/webhook` });
  }

  testDeaths(
    'killed anywhere between the order and its payment, and the buyer gives up',
    { turn: 0, brief: [1, 24], deaths: [1, 60] },
    async (server) => (await new Buyer().buy(server, COUNTED)) === 'paid',
  );

  let buyer: Buyer | undefined;
  const secondTries: unknown[] = [];
  testDeaths(
    'killed anywhere between the order and its payment, and the buyer tries again',
    { turn: 1, brief: [13, 24], deaths: [1, 60] },
    async (server) => {
      if (buyer) secondTries.push(await buyer.buy(server).catch((error) => error));
      buyer = new Buyer();
      return (await buyer.buy(server, COUNTED)) === 'paid';
    },
  );

  const staffDo = async (server: RunningProcess, what: string, body: object) => {
    const paying = new Buyer();
    expect(await paying.buy(server)).toBe('paid');
    const staff = await signedIn(server.address);
    const path = `/api/admin/orders/${paying.orderId}/${what}`;
    await deliver(server.address, () => staff.post(path, body, COUNTED));
    return (await staff.get(`/api/orders/${paying.orderId}`)).json.status;
  };
  const REFUND: Pace = { turn: 2, brief: [9, 28], deaths: [1, 50] };
  testDeaths('killed while staff give everything back', REFUND, async (server) => {
    return (await staffDo(server, 'refund', { amount: null })) === 'refunded';
  });
  const CANCEL: Pace = { turn: 3, brief: [7, 22], deaths: [0, 30] };
  testDeaths('killed while staff end a subscription', CANCEL, async (server) => {
    return (await staffDo(server, 'cancel', { when: 'now' })) === 'canceled';
  });

  test(
    'after all that, every order says what Stripe says, and Stripe has no other',
    FINISHED,
    async () => {
      // A quarter of an hour later.
      const later = { CLOCK_AHEAD_MS: String(15 * 60 * 1000) };
      expect(await disagreements((db) => stripeBooksDisagree(db, fake), later)).toEqual([]);
      expect(fake.subscriptionCount()).toBeGreaterThan(sized(2, 5));
      expect(secondTries.filter((status) => status !== 'paid')).toEqual([]);
    },
  );
});
