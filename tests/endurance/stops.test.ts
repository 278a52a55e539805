/** A server that is stopped or killed during orders loses nothing that it acknowledged to a customer. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import {
  type Acknowledged,
  compareWithFinalState,
  startShift,
  tornRows,
} from '../support/mixed-writes.ts';
import { connectTo } from '../support/raw-request.ts';
import { startServer } from '../support/server-process.ts';
import { expectWithin, sized } from '../support/sized.ts';
import { databaseForEachTest } from '../support/test-app.ts';

const READY_MS = 3_000;
const STOPPED_MS = 10_000;

const testDb = databaseForEachTest();

/** Starts a server in each round and sends it the signal during orders. Returns the acknowledged orders. */
async function ordersUntil(signal: 'SIGTERM' | 'SIGKILL', rounds: number) {
  const acknowledged: Acknowledged[] = [];
  const slowest = { start: 0, stop: 0 };
  await (await startServer(testDb.variables)).stop();
  for (let round = 0; round < rounds; round += 1) {
    const server = await startServer(testDb.variables);
    slowest.start = Math.max(slowest.start, server.readyMs);
    const shift = startShift(server.address, 8, `round-${round}`);
    // Vary the moment of the signal from round to round.
    await shift.orders(1 + ((round * 7) % 20));
    await pause((round * 3) % 10);
    // On a busy machine, PostgreSQL may have kept some waiting too long.
    const refusedBefore = shift.refused.length;
    const began = performance.now();
    const { code } = await server.stop(signal);
    slowest.stop = Math.max(slowest.stop, performance.now() - began);
    await shift.end();
    const refused = shift.refused.slice(refusedBefore);
    expect([code, refused]).toEqual([signal === 'SIGKILL' ? null : 0, []]);
    expect(shift.refused.filter(({ status }) => status !== 503)).toEqual([]);
    acknowledged.push(...shift.acknowledged);
  }
  return { orders: acknowledged.filter(({ orderId }) => orderId !== undefined), slowest };
}

test('kill -9 during orders and payments loses and tears nothing', async () => {
  const { orders, slowest } = await ordersUntil('SIGKILL', sized(3, 200));
  expect(orders.length).toBeGreaterThan(sized(10, 1_500));
  expectWithin('ready again after kill -9', slowest.start, READY_MS);

  const server = await startServer(testDb.variables);
  expect(await compareWithFinalState(server.address, orders)).toEqual([]);
  expect((await server.stop()).code).toBe(0);
  const { db, close } = await openDatabase(readEnv(testDb.variables));
  expect(await tornRows(db)).toEqual([]);
  await close();
});

test('a server that is asked to stop answers every request that it has begun', async () => {
  const { orders, slowest } = await ordersUntil('SIGTERM', sized(2, 100));
  expectWithin('stopped under load', slowest.stop, STOPPED_MS);

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
  server.child.kill('SIGTERM');
  const isServed = () =>
    fetch(server.address).then(
      () => true,
      () => false,
    );
  await expect.poll(isServed).toBe(false);
  await pause(1_100);
  const began = performance.now();
  await server.stop();
  expectWithin('ended by the second signal', performance.now() - began, 1_000);
});
