/** A server that is killed during orders loses nothing that it acknowledged to a customer. */
import { expect, inject, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { compareWithFinalState, tornRows } from '../support/mixed-writes.ts';
import { startServer } from '../support/server-process.ts';
import { databaseForEachTest } from '../support/test-app.ts';
import { ordersUntil } from './interrupted-orders.ts';
import { sized } from './sized.ts';

/** One in the gate, where this is the only server that is killed. */
const KILLS = inject('everything') ? sized(3, 200) : 1;

const testDb = databaseForEachTest();

test('kill -9 during orders and payments loses and tears nothing', async () => {
  const orders = await ordersUntil('SIGKILL', testDb.variables, KILLS);
  expect(orders.length).toBeGreaterThan(4 * KILLS);

  const server = await startServer(testDb.variables);
  expect(await compareWithFinalState(server.address, orders)).toEqual([]);
  expect((await server.stop()).code).toBe(0);
  const { db, close } = await openDatabase(readEnv(testDb.variables));
  expect(await tornRows(db)).toEqual([]);
  await close();
});
