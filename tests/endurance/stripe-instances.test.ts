/** Two instances make one order of repeated submissions, and one change of rival ones. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { insist, stripeVariables } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { sized } from './sized.ts';

// SQLite allows one server only.
describe.runIf(inject('engine') === 'postgres')('two instances', () => {
  let fake: FakeStripe;
  let testDb: TestDatabase;
  let variables: Record<string, string>;
  let servers: RunningProcess[];
  beforeAll(async () => {
    fake = await startFakeStripe();
    testDb = await testDatabase();
    variables = { ...testDb.variables, ...stripeVariables(fake) };
    servers = await Promise.all([startServer(variables), startServer(variables)]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await testDb.drop();
    await fake.close();
  });

  /** Each buyer submits one order `times` at once to both instances. Returns how many there are. */
  async function submitAtOnce(buyers: number, times: number): Promise<number> {
    const addresses = servers.map(({ address }) => address);
    let turn = 0;
    const visitor = () => {
      turn += 1;
      return new Visitor(addresses[turn % addresses.length] ?? '');
    };
    const answers = await Promise.all(
      Array.from({ length: buyers }, async () => {
        const key = randomUUID();
        const email = `${key}@example.com`;
        const all = Array.from({ length: times }, () => insist(visitor, { email }, key));
        return Promise.all(all);
      }),
    );
    for (const answered of answers) {
      expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answered.map(({ json }) => json.clientSecret)).size).toBe(1);
    }
    const database = await openDatabase(readEnv(variables));
    const orders = await database.db.selectFrom('subscriptions').selectAll().execute();
    await database.close();
    const subscriptions = [...fake.state.subscription.keys()];
    expect(subscriptions).toEqual(
      expect.arrayContaining(orders.map(({ subscriptionId }) => subscriptionId)),
    );
    expect([subscriptions.length, fake.state.customer.size]).toEqual([
      orders.length,
      orders.length,
    ]);
    return orders.length;
  }

  test('make one order with one client secret when a buyer submits many times at once', async () => {
    expect(await submitAtOnce(1, sized(50, 5_000))).toBe(1);
  });

  test('make one order each for many buyers at once', async () => {
    const buyers = sized(10, 200);
    expect(await submitAtOnce(buyers, 4)).toBe(1 + buyers);
  });

  test('let one of ten rival changes of an order’s status win, and answer the others with the state', async () => {
    const staff = await Promise.all(servers.map(({ address }) => signedIn(address)));
    for (let round = 0; round < sized(5, 20); round += 1) {
      const buyer = new Visitor(servers[0]?.address ?? '');
      const email = `${randomUUID()}@example.com`;
      const { orderId } = (await insist(() => buyer, { email }, randomUUID())).json;
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          staff[index % 2]?.move().post(`/api/orders/${orderId}/update-status`, {
            status: index < 5 ? 'failed' : 'canceled',
          }),
        ),
      );
      const won = answers.filter((answer) => answer?.status === 200);
      const read = answers.filter((answer) => answer?.status === 409);
      // Who comes after the one that won, and wants the same, has it.
      const { status } = (await staff[0]?.move().get(`/api/orders/${orderId}`))?.json ?? {};
      expect(won.map((answer) => answer?.json.status)).toEqual(won.map(() => status));
      expect([won.length > 0, won.length + read.length]).toEqual([true, 10]);
      for (const answer of read) expect(answer?.json.now.id).toBe(orderId);
    }
  });
});
