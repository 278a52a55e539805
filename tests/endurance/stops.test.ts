/** A server that is stopped during orders answers them first. */
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { tornRows } from '../support/mixed-writes.ts';
import { connectTo } from '../support/raw-request.ts';
import { startServer } from '../support/server-process.ts';
import { databaseForEachTest } from '../support/test-app.ts';
import { ordersUntil } from './interrupted-orders.ts';
import { sized } from './sized.ts';

const testDb = databaseForEachTest();

test('a server that is asked to stop answers every request that it has begun', async () => {
  const orders = await ordersUntil('SIGTERM', testDb.variables, sized(2, 100));

  const { db, close } = await openDatabase(readEnv(testDb.variables));
  const stored = await db.selectFrom('orders').select(['id', 'idempotencyKey']).execute();
  expect(stored.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual(
    orders.map(({ key }) => key).sort(),
  );
  const decided = await db
    .selectFrom('testPayments')
    .selectAll()
    .where('last4', 'is not', null)
    .execute();
  expect(decided.length).toBe(orders.filter(({ paid }) => paid !== undefined).length);
  expect(await tornRows(db)).toEqual([]);
  await close();
});

test('a server that is asked to stop a second time, a second later, ends at once', async () => {
  const server = await startServer(testDb.variables);
  const socket = connectTo(server.address);
  // A request without its body stays in flight.
  socket.write(
    'POST /api/admin/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      'Content-Length: 100\r\nExpect: 100-continue\r\n\r\n',
  );
  await once(socket, 'data');
  // One that follows within the second is npm's own.
  const askAgain = () => {
    server.child.kill('SIGTERM');
    return server.child.exitCode;
  };
  // A server that waits for its requests as long as it can ends with code 0.
  await expect.poll(askAgain).toBe(1);
});
