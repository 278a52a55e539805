import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { startServer } from '../support/server-process.ts';
import { testDatabase } from '../support/test-app.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

const LOG_MB = 4;
/** They would fill the log twenty times: the longest possible line has 1,900 characters. */
const REQUESTS = 50_000;
const AT_ONCE = 20;
/** Room in the database file for everything but log lines. */
const REST_MB = 24;

test.runIf(inject('engine') === 'sqlite' && inject('size') === 'large')(
  'all requests of a flood are answered and counted, and the log stays within its budget',
  async () => {
    const testDb = await testDatabase();
    const server = await startServer({ ...testDb.variables, LOG_MAX_MB: String(LOG_MB) });
    let sent = 0;
    /** Sends requests one after the other, each with different texts of the greatest length that the log keeps. */
    async function lane(): Promise<void> {
      while (sent < REQUESTS) {
        sent += 1;
        const text = `${sent}`.padEnd(4_000, 'x');
        const headers = { Referer: `https://${sent}.example/${text}`, 'User-Agent': text };
        const { status } = await new Visitor(server.address).get(`/?q=${text}`, headers);
        expect(status).toBe(200);
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    const file = join(testDb.variables.DATA_DIR ?? '', 'site.sqlite');
    const megabytes = statSync(file).size / 1024 / 1024;
    console.log(`database: ${megabytes.toFixed(1)} MB (log ${LOG_MB})`);
    expect(megabytes).toBeLessThan(LOG_MB + REST_MB);
    const staff = await signedIn(server.address);
    const { analytics } = (await staff.get('/api/admin/logs/analytics')).json;
    // Plus one for the sign-in.
    expect(analytics.totalRequests).toBe(REQUESTS + 1);
    await server.stop();
    await testDb.drop();
  },
);
