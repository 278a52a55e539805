/** During a flood of the access log every request is answered and counted, and the database stays small. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { SQLITE_FILE } from '../../src/platform/database/sqlite.server.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

const LOG_MB = 4;
const SECONDS = 60;
const CONNECTIONS = 20;
/** Enough requests to fill the log four times: the longest possible line has 1,900 characters. */
const MIN_REQUESTS = (4 * LOG_MB * 1024 * 1024) / 1_900;
/** Room in the database file for everything but log lines. */
const REST_MB = 8;

test.runIf(inject('engine') === 'sqlite' && inject('size') === 'large')(
  'a site survives a flood of requests with the longest texts that the log keeps',
  async () => {
    const folder = temporaryFolder();
    const server = await startServer({ DATA_DIR: folder, LOG_MAX_MB: String(LOG_MB) });
    const answered = await flood(server.address);
    const megabytes = statSync(join(folder, SQLITE_FILE)).size / 1024 / 1024;
    console.log(`flood: ${answered} requests, database ${megabytes.toFixed(1)} MB (log ${LOG_MB})`);
    expect(megabytes).toBeLessThan(LOG_MB + REST_MB);
    const staff = await signedIn(server.address);
    const { analytics } = (await staff.get('/api/admin/logs/analytics')).json;
    // Plus one for the sign-in.
    expect(analytics.totalRequests).toBe(answered + 1);
    await server.stop();
  },
);

/** Sends requests as fast as they are answered, each with different texts, and returns their number. */
async function flood(address: string): Promise<number> {
  const visitor = new Visitor(address);
  const end = performance.now() + SECONDS * 1000;
  let sent = 0;
  async function ask(): Promise<void> {
    while (performance.now() < end || sent < MIN_REQUESTS) {
      sent += 1;
      const text = `${sent}`.padEnd(4_000, 'x');
      const headers = { Referer: `https://${sent}.example/${text}`, 'User-Agent': text };
      expect((await visitor.get(`/?q=${text}`, headers)).status).toBe(200);
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return sent;
}
