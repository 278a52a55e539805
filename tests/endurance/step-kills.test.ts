/** A server killed at any step leaves orders, emails and Stripe in agreement. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { booksDisagree } from '../support/books.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { NO_BACKUP, shownPrice, TEN_USERS } from '../support/own-page.ts';
import { orderByQuote, QUOTE } from '../support/quote-site.ts';
import { CAN_DIE, type RunningProcess, startServer } from '../support/server-process.ts';
import { PURCHASE, stripeVariables, WITH_MAIL } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

/** New each time, because the site sends only a few emails a day to one address. */
const newEmail = () => `${randomUUID()}@dealer.example`;

describe('quotes: a server killed', () => {
  const { testKills, finishesLeftovers } = killableSite();

  async function save({ address }: RunningProcess, headers = {}) {
    const request = { ...QUOTE, email: newEmail() };
    return (await new Visitor(address).post('/api/quotes', request, headers)).json;
  }

  /** Places an order by the quote without paying it. */
  function placeOrder({ address }: RunningProcess, url: string, headers = {}) {
    const body = orderByQuote(url.split('/').at(-1) ?? '');
    return new Visitor(address).post('/api/create-payment-intent', body, headers);
  }

  testKills('while a visitor saves a quote', { steps: [2, 5], minimumKills: 5 }, async (server) =>
    Boolean((await save(server, COUNT_FROM_HERE)).reference),
  );

  testKills(
    'while a buyer pays a quote for which another has an open order',
    { steps: [4, 20], minimumKills: 20 },
    async (server) => {
      const { url } = await save(server);
      await placeOrder(server, url);
      const { status, json } = await placeOrder(server, url, COUNT_FROM_HERE);
      if (status !== 200) return false;
      const confirm = { clientSecret: json.clientSecret, token: 'succeeds' };
      const path = '/api/test-payments/confirm';
      return (await new Visitor(server.address).post(path, confirm)).status === 200;
    },
  );

  const actOnQuote = async (server: RunningProcess, action: string, body?: object) => {
    const { url, reference } = await save(server);
    await placeOrder(server, url);
    const staff = await signedIn(server.address);
    const path = `/api/admin/quotes/${reference.replace(/\D/g, '')}${action}`;
    return (await staff.post(path, body, COUNT_FROM_HERE)).status === 200;
  };
  const ON_QUOTE: KillPlan = { steps: [5, 15], minimumKills: 15 };
  const changed = { ...QUOTE, discount: null, days: 30, send: true };
  testKills('while staff change a quote with an open order', ON_QUOTE, (server) =>
    actOnQuote(server, '', changed),
  );
  testKills('while staff withdraw a quote with an open order', { ...ON_QUOTE }, (server) =>
    actOnQuote(server, '/withdraw'),
  );

  test('leaves quotes, links, orders and emails in agreement', async () => {
    await finishesLeftovers(booksDisagree);
  });
});

describe('plans: a server killed', () => {
  const changed = killableSite();

  /** A customer who has paid; returns how they call their own page. */
  async function customerAt({ address }: RunningProcess) {
    const visitor = new Visitor(address);
    const body = { ...TEN_USERS, email: newEmail() };
    const { clientSecret, orderId } = (await visitor.post('/api/create-payment-intent', body)).json;
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    const { page } = (await visitor.get(`/api/orders/${orderId}`)).json;
    const token = new URL(page).hash.slice(1);
    const ask = (what: string, body: object = {}, headers = {}) =>
      visitor.post(`/api/order-page/${what}`, { token, ...body }, headers);
    return { orderId, ask };
  }

  changed.testKills(
    'while a customer changes their plan',
    { steps: [3, 14], minimumKills: 15 },
    async (server) => {
      const { ask } = await customerAt(server);
      const wanted = { users: 12, backup: true, from: NO_BACKUP };
      const shown = shownPrice((await ask('preview', wanted)).json);
      return (await ask('change', { ...wanted, ...shown }, COUNT_FROM_HERE)).status === 200;
    },
  );

  changed.testKills(
    'while a customer cancels their plan',
    { steps: [2, 10], minimumKills: 10 },
    async (server) => {
      const { ask } = await customerAt(server);
      return (await ask('cancel', {}, COUNT_FROM_HERE)).status === 200;
    },
  );

  changed.testKills('while a plan renews', { steps: [4, 10], minimumKills: 10 }, async (server) => {
    const { orderId } = await customerAt(server);
    const staff = await signedIn(server.address);
    const path = `/api/admin/orders/${orderId}/test`;
    return (await staff.post(path, { happens: 'renewed' }, COUNT_FROM_HERE)).status === 200;
  });

  test('leaves orders, invoices, changes and emails in agreement', async () => {
    await changed.finishesLeftovers(booksDisagree);
  });
});

describe('Stripe: a server killed', () => {
  let fake: FakeStripe;
  beforeAll(async () => {
    fake = await startFakeStripe();
  });
  afterAll(() => fake.close());
  const { testKills, finishesLeftovers } = killableSite(() => stripeVariables(fake), settled);

  /** A starting server asks Stripe about every unfinished order; waits until it has. */
  async function settled(starting: Promise<RunningProcess>): Promise<RunningProcess> {
    const before = fake.requests.length;
    const server = await starting;
    const requests = () => fake.requests.slice(before);
    const hasReadEvents = () =>
      requests().some(({ path, status }) => path === '/v1/events' && status > 0);
    await expect.poll(hasReadEvents).toBe(true);
    for (let seen = -1; seen !== requests().length; ) {
      seen = requests().length;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    return server;
  }

  /** A customer who buys once, and may try again in the same tab. */
  class Buyer {
    orderId: number | undefined;
    readonly #email = newEmail();
    readonly #key = randomUUID();
    #cookies: Visitor['cookies'] = new Map();

    /** Orders, pays, returns; gives the order's status. `headers` go with the first request. */
    async buy({ address }: RunningProcess, headers: Record<string, string> = {}) {
      const visitor = Object.assign(new Visitor(address), { cookies: this.#cookies });
      const { json } = await visitor.post(
        '/api/create-payment-intent',
        { ...PURCHASE, email: this.#email },
        { ...headers, 'Idempotency-Key': this.#key },
      );
      this.orderId = json.orderId;
      // A second try finds the order paid if only the answer was lost.
      await deliver(address, () => fake.confirmCard(json.clientSecret, '4242424242424242'));
      const path = `/api/orders/${json.orderId}/update-status`;
      return (await visitor.post(path, { status: 'processing' })).json.status;
    }
  }

  /** Runs `act` and delivers the events that it causes at Stripe. */
  async function deliver(address: string, act: () => unknown): Promise<void> {
    const before = fake.events.length;
    await act();
    await fake.deliver(fake.events.slice(before), { to: `${address}/api/stripe/webhook` });
  }

  testKills(
    'between an order and its payment, and the buyer gives up',
    // The first: Stripe has the subscription, the order not yet.
    { steps: [27, 70], minimumKills: 120 },
    async (server) => (await new Buyer().buy(server, COUNT_FROM_HERE)) === 'paid',
  );

  let buyer: Buyer | undefined;
  const secondTries: unknown[] = [];
  testKills(
    'between an order and its payment, and the buyer tries again',
    { steps: [14, 27, 64], minimumKills: 120 },
    async (server) => {
      if (buyer) secondTries.push(await buyer.buy(server).catch((error) => error));
      buyer = new Buyer();
      return (await buyer.buy(server, COUNT_FROM_HERE)) === 'paid';
    },
  );

  const actOnPaidOrder = async (server: RunningProcess, action: string, body: object) => {
    const paying = new Buyer();
    expect(await paying.buy(server)).toBe('paid');
    const staff = await signedIn(server.address);
    const path = `/api/admin/orders/${paying.orderId}/${action}`;
    const { version } = (await staff.get(`/api/orders/${paying.orderId}`)).json;
    const act = () => staff.post(path, { ...body, version }, COUNT_FROM_HERE);
    await deliver(server.address, act);
    return (await staff.get(`/api/orders/${paying.orderId}`)).json.status;
  };
  const REFUND: KillPlan = { steps: [42, 78], minimumKills: 140 };
  testKills('while staff refund a payment in full', REFUND, async (server) => {
    return (await actOnPaidOrder(server, 'refund', { amount: null })) === 'refunded';
  });
  const CANCEL: KillPlan = { steps: [42, 66], minimumKills: 90 };
  testKills('while staff end a subscription', CANCEL, async (server) => {
    return (await actOnPaidOrder(server, 'cancel', { when: 'now' })) === 'canceled';
  });

  test('leaves every order as Stripe has it, and Stripe without others', async () => {
    // A day later, the site ends what was not paid, with what Stripe has of it.
    const later = { CLOCK_AHEAD_MS: String(25 * 60 * 60 * 1000) };
    await finishesLeftovers((db) => booksDisagree(db, { fake }), later);
    expect(fake.subscriptionCount()).toBeGreaterThan(2);
    expect(secondTries.filter((status) => status !== 'paid')).toEqual([]);
  });
});

/** Steps are counted from the first request with these headers. */
const COUNT_FROM_HERE = { 'X-Count-Steps': 'from here' };

type Variables = Record<string, string>;

interface KillPlan {
  /** The steps to kill at, which either engine reaches. The long run kills at every step. */
  steps: readonly number[];
  /** The long run has at least this many kills, or the test proves nothing. */
  minimumKills: number;
}

/** True if it ran to its end; false or an error: the server was killed. */
type Scenario = (server: RunningProcess) => Promise<boolean>;

/** `settled` resolves when a starting server has dealt with what the last one left. */
function killableSite(
  more: () => Variables = () => ({}),
  settled: (starting: Promise<RunningProcess>) => Promise<RunningProcess> = (starting) => starting,
) {
  let testDb: TestDatabase;
  let variables: Variables;
  beforeAll(async () => {
    testDb = await testDatabase();
    variables = { ...testDb.variables, ...more(), ...WITH_MAIL, ...CAN_DIE };
  });
  afterAll(() => testDb.drop());
  const start = (change: Variables = {}) => settled(startServer({ ...variables, ...change }));

  return {
    /** Runs the scenario once per step, killing the server at that step. */
    testKills(title: string, { steps, minimumKills }: KillPlan, run: Scenario): void {
      /** False if the scenario ran to its end first. */
      const isKilledAt = async (step: number) => {
        const server = await start({ DIE_AT: String(step) });
        const finished = await run(server).catch(() => false);
        if (finished) await server.stop();
        // The process ends a moment after its connections.
        else await expect.poll(() => server.child.signalCode).toBe('SIGKILL');
        return !finished;
      };
      test(title, { timeout: 3_600_000 }, async () => {
        if (inject('size') === 'small') {
          for (const step of steps)
            expect(await isKilledAt(step), `ended before step ${step}`).toBe(true);
        } else {
          let step = 1;
          while (await isKilledAt(step)) step += 1;
          expect(step).toBeGreaterThan(minimumKills);
        }
      });
    },

    /** Restarts the server, which finishes what was left until `find` reports nothing. */
    async finishesLeftovers(
      find: (db: Db) => Promise<string[]>,
      change: Variables = {},
    ): Promise<void> {
      const server = await start(change);
      const { db, close } = await openDatabase(readEnv(variables), { alongsideServer: true });
      try {
        await expect.poll(() => find(db)).toEqual([]);
        // Waits for what it is doing.
        await server.stop();
        expect(await find(db)).toEqual([]);
      } finally {
        await close();
        await server.stop();
      }
    },
  };
}
