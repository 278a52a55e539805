/** A server killed while staff give notice, and while Stripe gets it: one email, one price. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { PaymentChecks, refreshOrder } from '../../src/billing/refresh-order.server.ts';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { totalOf } from '../../src/platform/money.ts';
import { startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { openGateway } from '../support/running-subscription.ts';
import { line, savedOrder, TEST_CAUSE } from '../support/saved-order.ts';
import { startServer } from '../support/server-process.ts';
import { stripeVariables, WITH_MAIL } from '../support/stripe-shop.ts';
import { databaseForEachTest } from '../support/test-app.ts';
import { signedIn } from '../support/visitor.ts';
import { sized } from './sized.ts';

const ORDERS = sized(8, 500);
const KILLS = sized(1, 10);
const HOUR_MS = 3_600_000;
/** Essential and five users at $12.00, which cost $12.50 today. */
const LINES = [line('plan', 45_000), line('microsoft365', 1_200, 5)];
const ANSWER_MS = 100;

const testDb = databaseForEachTest();

test('kill -9 sends no notice twice and leaves no subscription at two prices', async () => {
  const fake = await startFakeStripe();
  const variables = { ...testDb.variables, ...stripeVariables(fake), ...WITH_MAIL };
  const open = () => openDatabase(readEnv(variables));

  const { db, close } = await open();
  const gateway = openGateway(fake, db);
  const context = {
    db,
    gateway,
    paymentChecks: new PaymentChecks(),
    notify: async () => undefined,
  };
  const ids: number[] = [];
  for (let count = 0; count < ORDERS; count += 1) {
    const order = await savedOrder(db, {
      ms365Option: 'business_standard',
      amountCents: totalOf(LINES),
      priceLines: JSON.stringify(LINES),
    });
    const begun = await gateway.start(order);
    if (typeof begun === 'string') throw new Error(begun);
    fake.confirmCard(begun.clientSecret ?? '', '4242424242424242');
    const { due: _, ...ofStripe } = begun;
    await db.updateTable('subscriptions').set(ofStripe).where('orderId', '=', order.id).execute();
    await refreshOrder(context, order, TEST_CAUSE);
    ids.push(order.id);
  }
  // Otherwise each start would follow every event that no webhook has delivered.
  const seen = fake.events.map(({ id, type }) => ({ id, type, settled: 1 as const }));
  for (const event of seen)
    await db
      .insertInto('providerEvents')
      .values({ ...event, receivedAt: Date.now() })
      .execute();
  await close();

  /** Runs servers that die after `afterMs`, and at last one that does not, until `work` is done. */
  async function insist(afterMs: number, work: (address: string) => Promise<void>) {
    for (let kills = 0; ; kills += 1) {
      const server = await startServer(variables);
      const kill = () => void server.child.kill('SIGKILL');
      const death = kills < KILLS ? setTimeout(kill, afterMs) : undefined;
      const outcome = await work(server.address).then(
        () => 'done' as const,
        (error: unknown) => error,
      );
      clearTimeout(death);
      await server.stop();
      if (outcome === 'done') return;
      if (kills === KILLS) throw outcome;
    }
  }

  await insist(150, async (address) => {
    const staff = await signedIn(address);
    const { today } = (await staff.get('/api/admin/prices')).json;
    for (let start = 0; start < ids.length; start += 100) {
      const orders = ids.slice(start, start + 100).map((id) => ({ id, after: 512.5 }));
      const body = { kind: 'price', day: today, orders };
      expect((await staff.post('/api/admin/prices/notice', body)).status).toBe(200);
    }
  });
  const noticed = await open();
  const emails = await noticed.db
    .selectFrom('outbox')
    .select('subjectId')
    .where('kind', '=', 'price-announced')
    .where('channel', '=', 'mail-customer')
    .execute();
  expect(emails.map(({ subjectId }) => subjectId).sort()).toEqual(ids.toSorted());
  await noticed.db
    .updateTable('priceChanges')
    .set({ effectiveAt: Date.now() + HOUR_MS, deliveredAt: Date.now() })
    .execute();
  await noticed.close();
  const renewsAt = Math.floor((Date.now() + HOUR_MS) / 1000);
  for (const { items } of fake.state.subscription.values())
    for (const item of items.data) item.current_period_end = renewsAt;

  fake.beforeRequests(async () => void (await pause(ANSWER_MS)));
  const priceOf = (subscription: {
    items: { data: { price: { unit_amount: number | null } }[] };
  }) => subscription.items.data[1]?.price.unit_amount;
  await insist(sized(1_000, 7_000), async (address) => {
    const staff = await signedIn(address);
    const isSetUp = async (id: number) => {
      const { changes } = (await staff.move().get(`/api/orders/${id}`)).json;
      return changes.some(({ text }: { text: string }) =>
        text.startsWith('The payment provider will charge'),
      );
    };
    for (const id of ids) while (!(await isSetUp(id))) await pause(500);
  });
  const subscriptions = [...fake.state.subscription.values()];
  expect(subscriptions.map(priceOf)).toEqual(ids.map(() => 1_250));
  for (const { items } of subscriptions)
    expect(items.data.map(({ quantity }) => quantity)).toEqual([1, 5]);
  // Each was changed once.
  expect(fake.eventsOf('customer.subscription.updated').length).toBe(2 * ids.length);
  expect(fake.state.invoiceitem.size).toBe(0);
  await fake.close();
}, 3_600_000);
