/** Two instances on one database and one Stripe account make one order and one subscription of repeated submissions. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized } from '../support/sized.ts';
import { insist, stripeVariables } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

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

  /** Each buyer submits one order `times` at once, alternating between the instances. Returns the number of orders. */
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
});
