/** Several instances share one database and one Stripe account: one wish is one order and one subscription. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized } from '../support/sized.ts';
import { insist, stripeVariables } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

// The embedded database admits one server.
describe.runIf(inject('engine') === 'postgres')('two instances', () => {
  let fake: FakeStripe;
  let ground: TestDatabase;
  let variables: Record<string, string>;
  let servers: RunningProcess[];
  beforeAll(async () => {
    fake = await startFakeStripe();
    ground = await testDatabase();
    variables = { ...ground.variables, ...stripeVariables(fake) };
    servers = await Promise.all([startServer(variables), startServer(variables)]);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await ground.drop();
    await fake.close();
  });

  /** As the orders of `wishes` buyers, each submitted `times` at once, by turns to one instance and the other. */
  async function submitAtOnce(wishes: number, times: number): Promise<number> {
    const addresses = servers.map(({ address }) => address);
    let turn = 0;
    const visitor = () => {
      turn += 1;
      return new Visitor(addresses[turn % addresses.length] ?? '');
    };
    const answers = await Promise.all(
      Array.from({ length: wishes }, async () => {
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
    const orders = await database.db.selectFrom('orders').selectAll().execute();
    await database.close();
    const subscriptions = [...fake.state.subscription.keys()];
    // Those that two instances made at the same moment and handed out to nobody stay unpaid, and end at Stripe.
    for (const { subscriptionId } of orders) expect(subscriptions).toContain(subscriptionId);
    return orders.length;
  }

  test('make one order with one secret of many submissions at once', async () => {
    expect(await submitAtOnce(1, sized(50, 5_000))).toBe(1);
  });

  test('and one each of many wishes', async () => {
    const wishes = sized(10, 200);
    expect(await submitAtOnce(wishes, 4)).toBe(1 + wishes);
  });
});
