/** While PostgreSQL restarts or hangs, pages are served, and orders refused for a moment. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { SAMPLE_ORDER } from '../support/call-row.ts';
import { eventually } from '../support/eventually.ts';
import { compareWithFinalState, startShift } from '../support/mixed-writes.ts';
import { Postgres } from '../support/postgres.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { Visitor } from '../support/visitor.ts';
import { sized } from './sized.ts';

describe.runIf(inject('engine') === 'postgres')('while PostgreSQL is away', () => {
  let postgres: Postgres;
  let server: RunningProcess;
  beforeAll(async () => {
    postgres = await Postgres.create();
    await postgres.start();
    server = await startServer({ DATABASE_URL: postgres.url });
  });
  afterAll(async () => {
    await server?.stop();
    await postgres.remove();
  });

  const order = (key: string) =>
    new Visitor(server.address).post('/api/create-payment-intent', SAMPLE_ORDER, {
      'Idempotency-Key': key,
    });
  const status = async (path: string) => (await new Visitor(server.address).get(path)).status;

  test('visitors get pages and prices, writes are refused, and the site recovers by itself', async () => {
    for (let round = 0; round < sized(2, 30); round += 1) {
      const shift = startShift(server.address, 4, `round-${round}`);
      await shift.orders(5);
      await postgres.stop(round % 2 ? 'fast' : 'immediate');
      const staff = new Visitor(server.address);
      staff.cookies.set('session', 's'.repeat(43));
      for (const path of [
        '/',
        '/checkout?plan=2',
        '/api/plans',
        '/api/services',
        '/api/solutions',
      ]) {
        expect([path, (await staff.get(path)).status]).toEqual([path, 200]);
      }
      expect(await status('/healthz')).toBe(200);
      // The site probes the database once a second at most.
      await eventually(async () => expect(await status('/readyz')).toBe(503));
      expect((await staff.get('/api/admin/session')).status).toBe(503);
      const refused = await order(`away-${round}`);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      await eventually(() => expect(shift.refused.length).toBeGreaterThan(0));

      await postgres.start();
      await eventually(async () => expect((await order(`away-${round}`)).status).toBe(200));
      await eventually(async () => expect(await status('/readyz')).toBe(200));
      await shift.end();
      expect(shift.unanswered).toBe(0);
      for (const { status, retryAfter } of shift.refused)
        expect([status, retryAfter]).toEqual([503, '5']);
      expect(await compareWithFinalState(server.address, shift.acknowledged)).toEqual([]);
    }
  });

  test('visitors get pages and prices while the database hangs, and orders work once it resumes', async () => {
    await order('before');
    postgres.freeze();
    for (const path of ['/', '/checkout?plan=2', '/api/plans'])
      expect(await status(path)).toBe(200);
    await expect.poll(() => status('/readyz')).toBe(503);
    expect((await order('while')).status).toBe(503);
    postgres.thaw();
    await expect.poll(async () => (await order('after')).status).toBe(200);
  });

  test('the server stops without its database', async () => {
    await postgres.stop('immediate');
    expect((await server.stop()).code).toBe(0);
  });

  test('the server stops while its database hangs', async () => {
    await postgres.start();
    const waiting = await startServer({ DATABASE_URL: postgres.url });
    await fetch(waiting.address);
    postgres.freeze();
    await waiting.stop();
    postgres.thaw();
  });
});
