/** An upgrade in business hours: whoever was being served is served to the end. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { type Acknowledged, startShift, tornRows } from '../support/mixed-writes.ts';
import { startServer } from '../support/server-process.ts';
import { expectWithin, sized } from '../support/sized.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';

const STOPPED_MS = 10_000;

describe('a server that is asked to stop', () => {
  let ground: TestDatabase;
  beforeEach(async () => {
    ground = await testDatabase();
  });
  afterEach(() => ground.drop());

  const start = () => startServer(ground.variables);

  test('under load answers whatever it has begun', async () => {
    const acknowledged: Acknowledged[] = [];
    let slowest = 0;
    for (let round = 0; round < sized(2, 100); round += 1) {
      const server = await start();
      const shift = startShift(server.address, 8, `round-${round}`);
      await shift.orders(1 + ((round * 7) % 20));
      const began = performance.now();
      const { code } = await server.stop();
      slowest = Math.max(slowest, performance.now() - began);
      await shift.end();
      expect([code, shift.refused]).toEqual([0, []]);
      acknowledged.push(...shift.acknowledged);
    }
    expectWithin('stopped under load', slowest, STOPPED_MS);

    const { db, close } = await openDatabase(readEnv(ground.variables));
    const stored = await db.selectFrom('orders').select(['id', 'idempotencyKey']).execute();
    const told = acknowledged.filter(({ orderId }) => orderId !== undefined);
    expect(stored.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual(
      told.map(({ key }) => key).sort(),
    );
    const decided = await db
      .selectFrom('testPayments')
      .selectAll()
      .where('last4', 'is not', null)
      .execute();
    expect(decided.length).toBe(told.filter(({ paid }) => paid !== undefined).length);
    expect(await tornRows(db)).toEqual([]);
    await close();
  });

  test('ends at once when it is asked again, a second later', async () => {
    const server = await start();
    const { hostname, port } = new URL(server.address);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    // A request whose body is missing its end stays in flight.
    const head = 'POST /api/admin/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
    socket.write(`${head}Content-Length: 100\r\n\r\n{`);
    await pause(200);
    server.child.kill('SIGTERM');
    await expect
      .poll(() =>
        fetch(server.address).then(
          () => 'answered',
          () => 'closed',
        ),
      )
      .toBe('closed');
    await pause(1_100);
    const began = performance.now();
    await server.stop();
    expectWithin('ended by the second signal', performance.now() - began, 1_000);
  });
});
