/** Orders and messages per second over 32 connections; each is on disk before it is answered. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../support/call-row.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { REACHABLE_DEMO, SERVER, startProcess } from '../support/server-process.ts';
import { figure } from './measure.ts';
import { keepOffLoad, wrk } from './wrk.ts';

const SECONDS = 10;
const SCRIPT = 'tests/bench/writes.lua';

export async function benchWrites(): Promise<void> {
  await measure('SQLite', {}, { orders: 300, messages: 1_000 });
  if (!findPostgres()) return console.log('PostgreSQL is missing: only SQLite was measured');
  const postgres = await Postgres.create();
  await postgres.start();
  const variables = { DATABASE_URL: postgres.url };
  await measure('PostgreSQL', variables, { orders: 200, messages: 600 });
  await postgres.remove();
}

async function measure(
  engine: string,
  variables: Record<string, string>,
  atLeast: { orders: number; messages: number },
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const site = await startProcess(SERVER, { ...REACHABLE_DEMO, DATA_DIR: folder, ...variables });
  keepOffLoad(site);
  const perSecond = (path: string, body: object) =>
    wrk(site.address + path, SECONDS, { script: SCRIPT, body }).perSecond;
  const orders = perSecond('/api/create-payment-intent', SAMPLE_ORDER);
  figure(`${engine}: orders a second`, orders, { atLeast: atLeast.orders });
  const messages = perSecond('/api/contact', SAMPLE_MESSAGE);
  figure(`${engine}: messages a second`, messages, { atLeast: atLeast.messages });
  await site.stop();
  rmSync(folder, { recursive: true });
}
