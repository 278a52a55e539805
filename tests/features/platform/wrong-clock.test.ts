/** The clock was a day ahead and is set right again: nothing waits for the day to pass. */
import { describe, expect, test } from 'vitest';
import { findUnpaidOrders } from '../../../src/orders/order-store.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { sharedTestApp, startTestApp } from '../../support/test-app.ts';

const DAY = 24 * 60 * 60 * 1000;

test('a delivery, its channel and its claim do not wait for a time a day ahead', async () => {
  const teams = await FakeTeams.start();
  teams.behaviour = () => ({ status: 500 });
  const app = await startTestApp(teams.variables);
  const { db } = app.database;
  const ahead = Date.now() + DAY;
  for (const claimedBy of [null, 'an instance that died'] as const) {
    const message = `Claimed by ${claimedBy ?? 'no instance'}`;
    await app.visitor().post('/api/contact', { ...SAMPLE_MESSAGE, message });
    const rows = () => db.selectFrom('outbox').selectAll().where('state', '=', 'waiting').execute();
    await eventually(async () =>
      expect(await rows()).toMatchObject([{ claimedBy: null, tries: 1 }]),
    );
    await db.updateTable('outbox').set({ nextTryAt: ahead, claimedBy }).execute();
    teams.behaviour = () => 'accept';
    await eventually(async () => expect(await rows()).toEqual([]));
    teams.behaviour = () => ({ status: 500 });
  }
  await app.stop();
  await teams.stop();
});

describe('on one site', () => {
  const app = sharedTestApp();

  test('a session that began a day ahead has ended', async () => {
    const staff = await app.staff();
    const ahead = Date.now() + DAY;
    await app.database.db
      .updateTable('sessions')
      .set({ createdAt: ahead, lastSeenAt: ahead })
      .execute();
    expect((await staff.get('/api/admin/session')).status).toBe(401);
  });

  test('an order that was placed a day ahead is asked after', async () => {
    const { db } = app.database;
    const { orderId } = (await app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER)).json;
    const undecided = async () => {
      const orders = await findUnpaidOrders(
        db,
        { provider: 'test', live: false },
        Date.now() - 600_000,
      );
      return orders.map(({ id }) => id);
    };
    expect(await undecided()).toEqual([]);
    await db
      .updateTable('orders')
      .set({ createdAt: Date.now() + DAY })
      .execute();
    expect(await undecided()).toEqual([orderId]);
  });
});
