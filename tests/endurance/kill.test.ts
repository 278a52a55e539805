/** Power fails, the process dies: what a customer was told has happened, has happened. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import {
  type Acknowledged,
  compareWithFinalState,
  startShift,
  tornRows,
} from '../support/mixed-writes.ts';
import { startServer } from '../support/server-process.ts';
import { expectWithin, sized } from '../support/sized.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';

let ground: TestDatabase;
beforeAll(async () => {
  ground = await testDatabase();
});
afterAll(() => ground.drop());

const READY_MS = 3_000;

test('kill -9 in the midst of orders and payments loses and tears nothing', async () => {
  const { variables } = ground;
  const acknowledged: Acknowledged[] = [];
  let slowestStart = 0;
  await (await startServer(variables)).stop();
  for (let round = 0; round < sized(5, 200); round += 1) {
    const server = await startServer(variables);
    slowestStart = Math.max(slowestStart, server.readyMs);
    const shift = startShift(server.address, 8, `round-${round}`);
    // Earlier in one round, later in the next, so that the kill falls into ever other moments.
    await shift.orders(1 + ((round * 7) % 20));
    await pause((round * 3) % 10);
    const { code } = await server.stop('SIGKILL');
    await shift.end();
    expect(code).toBeNull();
    expect(shift.refused).toEqual([]);
    acknowledged.push(...shift.acknowledged);
  }
  const told = acknowledged.filter(({ orderId }) => orderId !== undefined);
  expect(told.length).toBeGreaterThan(sized(20, 1_500));
  expectWithin('ready again after kill -9', slowestStart, READY_MS);

  const server = await startServer(variables);
  expect(await compareWithFinalState(server.address, acknowledged)).toEqual([]);
  expect((await server.stop()).code).toBe(0);
  const { db, close } = await openDatabase(readEnv(ground.variables));
  expect(await tornRows(db)).toEqual([]);
  await close();
});
