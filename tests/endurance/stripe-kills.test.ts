/** The server dies in the midst of a story, at every step there is: in the end the books agree with Stripe. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized, testInTurn } from '../support/sized.ts';
import { PURCHASE, receiptsIn, stripeVariables, WITH_MAIL } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const PRELOAD = join(import.meta.dirname, '../support/die-at.ts');
const A_QUARTER_HOUR = 15 * 60 * 1000;
/** The request that carries this is the first of the story whose steps are counted. */
const COUNTED = { 'X-Count-Steps': 'from here' };

let fake: FakeStripe;
let ground: TestDatabase;
let variables: Record<string, string>;
/** A colleague's session outlives the server. */
let session: Visitor['cookies'] | undefined;
beforeAll(async () => {
  fake = await startFakeStripe();
  ground = await testDatabase();
  variables = {
    ...ground.variables,
    ...stripeVariables(fake),
    ...WITH_MAIL,
    NODE_OPTIONS: `--import=${PRELOAD}`,
  };
});
afterAll(async () => {
  await ground.drop();
  await fake.close();
});

/** A customer who buys once, on whatever server is there, and tries again in the same tab. */
class Buyer {
  orderId: number | undefined;
  readonly #fake: FakeStripe;
  readonly #email = `${randomUUID()}@example.com`;
  readonly #key = randomUUID();
  #cookies: Visitor['cookies'] = new Map();

  constructor(fake: FakeStripe) {
    this.#fake = fake;
  }

  /** From the order to the return address; gives the order's status. `headers` go with the first request. */
  async buy({ address }: { address: string }, headers: Record<string, string> = {}) {
    const fake = this.#fake;
    const visitor = Object.assign(new Visitor(address), { cookies: this.#cookies });
    const { json } = await visitor.post(
      '/api/create-payment-intent',
      { ...PURCHASE, email: this.#email },
      { ...headers, 'Idempotency-Key': this.#key },
    );
    this.orderId = json.orderId;
    const before = fake.events.length;
    // A second try finds it paid, when only the answer was lost.
    fake.confirmCard(json.clientSecret, '4242424242424242');
    await fake.deliver(fake.events.slice(before), { to: `${address}/api/stripe/webhook` });
    const path = `/api/orders/${json.orderId}/update-status`;
    return (await visitor.post(path, { status: 'processing' })).json.status;
  }
}

/** Tells a story to its end; throws when the server is gone, false when it did not come to its end. */
type Story = (server: RunningProcess) => Promise<boolean>;

/** Starts a server and lets it ask Stripe about all that was left over. */
async function settledServer(more: Record<string, string>, calmMs: number) {
  const before = fake.requests.length;
  const server = await startServer({ ...variables, ...more });
  const asked = () => fake.requests.slice(before);
  await expect
    .poll(() => asked().some(({ path, status }) => path === '/v1/events' && status > 0), {
      timeout: 60_000,
    })
    .toBe(true);
  for (let seen = -1; seen !== asked().length; ) {
    seen = asked().length;
    await new Promise((resolve) => setTimeout(resolve, calmMs));
  }
  return server;
}

/** Kills the story at its first step, then at one `stride` further, until it lives to its end. Gives the deaths. */
async function killAtSteps(
  [first, stride]: readonly [number, number],
  story: Story,
  afterwards: Story = async () => true,
): Promise<number> {
  for (let step = first, died = 0; ; step += stride, died += 1) {
    const server = await settledServer({ DIE_AT: String(step) }, 150);
    if (died > 0) expect(await afterwards(server)).toBe(true);
    const finished = await story(server).catch(() => false);
    await server.stop(finished ? 'SIGTERM' : 'SIGKILL');
    if (finished) return died;
  }
}

async function colleague({ address }: RunningProcess): Promise<Visitor> {
  const visitor = new Visitor(address);
  if (session) return Object.assign(visitor, { cookies: session });
  const credentials = { username: 'admin', password: 'showroom-demo' };
  expect((await visitor.post('/api/admin/login', credentials)).status).toBe(200);
  session = visitor.cookies;
  return visitor;
}

/** A paid order of which staff do something; everything that happens at Stripe is delivered. */
async function actOnPaidOrder(
  server: RunningProcess,
  act: 'refund' | 'cancel',
  body: object,
  ends: string,
): Promise<boolean> {
  const buyer = new Buyer(fake);
  expect(await buyer.buy(server)).toBe('paid');
  const staff = await colleague(server);
  const before = fake.events.length;
  await staff.post(`/api/admin/orders/${buyer.orderId}/${act}`, body, COUNTED);
  await fake.deliver(fake.events.slice(before), { to: `${server.address}/api/stripe/webhook` });
  return (await staff.get(`/api/orders/${buyer.orderId}`)).json.status === ends;
}

testInTurn(0)(
  'killed anywhere between the order and its payment, and the buyer gives up',
  {
    timeout: 3_600_000,
  },
  async () => {
    const died = await killAtSteps(sized([1, 24], [1, 1]), async (server) => {
      const buyer = new Buyer(fake);
      return (await buyer.buy(server, COUNTED)) === 'paid';
    });
    expect(died).toBeGreaterThan(sized(1, 60));
  },
);

testInTurn(1)(
  'killed anywhere between the order and its payment, and the buyer tries again',
  {
    timeout: 3_600_000,
  },
  async () => {
    let buyer = new Buyer(fake);
    const died = await killAtSteps(
      sized([13, 24], [1, 1]),
      async (server) => {
        buyer = new Buyer(fake);
        return (await buyer.buy(server, COUNTED)) === 'paid';
      },
      async (server) => (await buyer.buy(server)) === 'paid',
    );
    expect(died).toBeGreaterThan(sized(1, 60));
  },
);

testInTurn(2)('killed while staff give everything back', { timeout: 3_600_000 }, async () => {
  const died = await killAtSteps(sized([9, 28], [1, 1]), (server) =>
    actOnPaidOrder(server, 'refund', { amount: null }, 'refunded'),
  );
  expect(died).toBeGreaterThan(sized(1, 50));
});

testInTurn(3)('killed while staff end a subscription', { timeout: 3_600_000 }, async () => {
  const died = await killAtSteps(sized([7, 22], [1, 1]), (server) =>
    actOnPaidOrder(server, 'cancel', { when: 'now' }, 'canceled'),
  );
  expect(died).toBeGreaterThan(sized(0, 30));
});

/** What an order must be, by what Stripe has of it, without the product's code: every order and every subscription that do not agree, in words; each order is to have one receipt for its payment. */
async function disagreements(db: Kysely<Tables>, fake: FakeStripe): Promise<string[]> {
  const orders = await db.selectFrom('orders').selectAll().execute();
  const wrong: string[] = [];
  const say = (id: number | string, what: string) => wrong.push(`${id}: ${what}`);
  for (const subscription of fake.state.subscription.values()) {
    const { id, metadata } = subscription;
    const order = orders.find((each) => String(each.id) === metadata.orderId);
    if (order?.subscriptionId !== id) say(id, `the order has ${order?.subscriptionId}`);
  }
  for (const { id, status, subscriptionId, paymentId } of orders) {
    const subscription = fake.state.subscription.get(subscriptionId ?? '');
    const intent = fake.state.payment_intent.get(paymentId ?? '');
    const charge = fake.state.charge.get(intent?.latest_charge ?? '');
    const may = mayBe(subscription?.status, charge?.refunded === true);
    if (!may.includes(status)) {
      const given = charge?.refunded ? ', all given back' : '';
      say(id, `${status}, at Stripe ${subscription?.status}${given}`);
    }
    const receipts = await receiptsIn(db, id);
    const due = intent?.status === 'succeeded' ? 1 : 0;
    if (receipts !== due) say(id, `${receipts} receipts in place of ${due}`);
  }
  return wrong;
}

/** By the subscription's status; whoever has everything back must be charged no more. */
function mayBe(status: string | undefined, refunded: boolean): string[] {
  if (refunded) return status === 'canceled' ? ['refunded'] : [];
  switch (status) {
    case undefined:
      return ['pending', 'canceled'];
    case 'incomplete':
      return ['pending', 'processing', 'failed'];
    case 'incomplete_expired':
    case 'canceled':
      return ['canceled'];
    case 'active':
      return ['paid'];
    default:
      return [status];
  }
}

test('after all that, every order says what Stripe says, and Stripe has no other', {
  timeout: 120_000,
}, async () => {
  const server = await settledServer({ CLOCK_AHEAD_MS: String(A_QUARTER_HOUR) }, 1_000);
  await server.stop();
  const database = await openDatabase(readEnv(variables));
  expect(await disagreements(database.db, fake)).toEqual([]);
  expect(fake.subscriptionCount()).toBeGreaterThan(sized(2, 5));
  await database.close();
});
