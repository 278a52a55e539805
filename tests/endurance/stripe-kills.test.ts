/** The server dies in the midst of a purchase, at every step there is: in the end the books agree with Stripe. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/database.server.ts';
import { readEnv } from '../../src/platform/env.server.ts';
import { eventually } from '../support/eventually.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized } from '../support/sized.ts';
import { PURCHASE, receiptsIn, stripeVariables, WITH_MAIL } from '../support/stripe-shop.ts';
import { testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const PRELOAD = join(import.meta.dirname, '../support/die-at.ts');
/** Of the steps one in so many is tried here. */
const stride = () => sized(8, 1);
const A_QUARTER_HOUR = 15 * 60 * 1000;

test('killed anywhere between the order and its payment', {
  timeout: 3_600_000,
}, async () => {
  const fake = await startFakeStripe();
  const ground = await testDatabase();
  const variables = {
    ...ground.variables,
    ...stripeVariables(fake),
    ...WITH_MAIL,
    NODE_OPTIONS: `--import=${PRELOAD}`,
  };
  let died = 0;
  for (let step = 1; ; step += stride()) {
    const server = await startServer({ ...variables, DIE_AT: String(step) });
    const finished = await buy(server, fake).catch(() => false);
    if (finished) {
      await server.stop();
      break;
    }
    died += 1;
    await server.stop('SIGKILL');
  }
  expect(died).toBeGreaterThan(50 / stride());

  const server = await startServer({ ...variables, CLOCK_AHEAD_MS: String(A_QUARTER_HOUR) });
  const database = await openDatabaseBeside(server, variables);
  const orders = await database.db.selectFrom('orders').selectAll().execute();
  const wrong = orders.filter((order) => {
    const subscription = fake.state.subscription.get(order.subscriptionId ?? '');
    return (order.status === 'paid') !== (subscription?.status === 'active');
  });
  expect(wrong).toEqual([]);
  for (const { id, email, status, customerId } of orders) {
    expect([email, fake.subscriptionCount(customerId ?? '')]).toEqual([email, customerId ? 1 : 0]);
    expect([email, await receiptsIn(database.db, id)]).toEqual([email, status === 'paid' ? 1 : 0]);
  }
  const paid = orders.filter(({ status }) => status === 'paid');
  const active = [...fake.state.subscription.values()].filter(({ status }) => status === 'active');
  expect(paid.length).toBe(active.length);
  await database.close();
  await ground.drop();
  await fake.close();
});

/** A purchase as it goes when nothing fails; throws when the server is gone, false when it did not come to its end. */
async function buy({ address }: RunningProcess, fake: FakeStripe): Promise<boolean> {
  const visitor = new Visitor(address);
  const email = `${randomUUID()}@example.com`;
  const headers = { 'Idempotency-Key': randomUUID() };
  const { json } = await visitor.post(
    '/api/create-payment-intent',
    { ...PURCHASE, email },
    headers,
  );
  const before = fake.events.length;
  fake.confirmCard(json.clientSecret, '4242424242424242');
  const events = fake.events.slice(before);
  await fake.deliver(events, { to: `${address}/api/stripe/webhook` });
  const path = `/api/orders/${json.orderId}/update-status`;
  const returned = await visitor.post(path, { status: 'processing' });
  return returned.json.status === 'paid';
}

/** Waits until the server has asked after everything, then looks into its database. */
async function openDatabaseBeside(server: RunningProcess, variables: Record<string, string>) {
  await eventually(async () => {
    const { status } = await fetch(`${server.address}/readyz`);
    expect(status).toBe(200);
  });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await server.stop();
  return openDatabase(readEnv(variables));
}
