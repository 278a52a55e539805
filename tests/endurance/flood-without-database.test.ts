/** PostgreSQL is away for a minute while requests with the longest addresses come: what waits stays small. */
import { expect, inject, test } from 'vitest';
import { findPostgres } from '../support/find-postgres.ts';
import { flood } from '../support/flood.ts';
import { Postgres } from '../support/postgres.ts';
import { memoryMegabytes, startServer } from '../support/server-process.ts';
import { Visitor } from '../support/visitor.ts';

const SECONDS = 60;
const WARM_UP_SECONDS = 30;
const MOST_MORE_MB = 64;

test.runIf(inject('engine') === 'postgres' && inject('size') === 'large')(
  'a flood for a minute without PostgreSQL',
  async () => {
    const postgres = await Postgres.create(findPostgres() ?? '');
    await postgres.start();
    const server = await startServer({ DATABASE_URL: postgres.url });
    const warm = await flood(server.address, WARM_UP_SECONDS);
    const before = memoryMegabytes(server.child);
    await postgres.stop('immediate');
    let most = before;
    const watching = setInterval(() => {
      most = Math.max(most, memoryMegabytes(server.child));
    }, 200);
    const cold = await flood(server.address, SECONDS);
    clearInterval(watching);
    console.log(
      `${cold.answered} requests in ${SECONDS} s without PostgreSQL: ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`,
    );
    await postgres.start();
    const ready = async () => (await fetch(`${server.address}/readyz`)).status;
    await expect.poll(ready).toBe(200);
    const staff = new Visitor(server.address);
    await staff.post('/api/admin/login', { username: 'admin', password: 'showroom-demo' });
    const { analytics } = (await staff.get('/api/admin/logs/analytics')).json;
    console.log(`answered ${warm.answered + cold.answered}, counted ${analytics.totalRequests}`);
    await server.stop();
    await postgres.remove();
    expect([warm.unanswered, cold.unanswered]).toEqual([0, 0]);
    // The sign-in is counted as well.
    expect(analytics.totalRequests).toBe(warm.answered + cold.answered + 1);
    expect(most - before).toBeLessThan(MOST_MORE_MB);
  },
);
