/** When a clock that was a day ahead is set back, nothing waits for that day to pass. */
import { expect, test } from 'vitest';
import { findUnpaidOrders } from '../../../src/orders/order-store.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { ownTestApp } from '../../support/test-app.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a delivery that was postponed or claimed by a clock a day ahead is sent at once', async () => {
  const teams = await FakeTeams.start();
  teams.behaviour = () => ({ status: 500 });
  const app = await ownTestApp(teams.variables);
  const { db } = app.database;
  const ahead = Date.now() + DAY;
  for (const claimedBy of [null, 'an instance that died'] as const) {
    const message = `Claimed by ${claimedBy ?? 'no instance'}`;
    await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, message });
    const rows = () => db.selectFrom('outbox').selectAll().where('state', '=', 'waiting').execute();
    await expect.poll(rows).toMatchObject([{ claimedBy: null, tries: 1 }]);
    await db.updateTable('outbox').set({ nextTryAt: ahead, claimedBy }).execute();
    teams.behaviour = () => 'accept';
    await expect.poll(rows).toEqual([]);
    teams.behaviour = () => ({ status: 500 });
  }
  await teams.stop();
});

test('an unpaid order that was placed a day ahead is still looked up at the provider', async () => {
  const app = await ownTestApp();
  const { db } = app.database;
  const { orderId } = (await app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER)).json;
  const unpaid = async () => {
    const account = { provider: 'test', live: false } as const;
    const orders = await findUnpaidOrders(db, account, Date.now() - 600_000);
    return orders.map(({ id }) => id);
  };
  expect(await unpaid()).toEqual([]);
  const createdAt = Date.now() + DAY;
  await db.updateTable('orders').set({ createdAt }).execute();
  expect(await unpaid()).toEqual([orderId]);
});
