/** The access log with a million requests: the cost of reading it, and what a kill loses. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AccessLog } from '../../src/access-log/access-log.server.ts';
import { READ_ANALYTICS } from '../../src/access-log/access-log-api.ts';
import { allRecords } from '../../src/access-log/access-log-store.server.ts';
import type { AccessRecord } from '../../src/access-log/access-record.server.ts';
import { DEMO_PASSWORD, DEMO_USERNAME, readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { pageOf } from '../support/access-records.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { memoryMegabytes, SERVER, startProcess } from '../support/server-process.ts';
import { Visitor } from '../support/visitor.ts';
import { figure, median, timed } from './measure.ts';

const REQUESTS = 1_000_000;
const VISITORS = 150_000;
/** As many as the log holds in memory at most. */
const AT_ONCE = 20_000;
/** Room for all of them. */
const MAX_MB = 8192;
const ROUNDS = 15;

type Variables = Record<string, string>;

export async function benchAccessLog(): Promise<void> {
  const postgres = findPostgres() ? await Postgres.create() : undefined;
  await postgres?.start();
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const databases: [string, Variables][] = [['SQLite', {}]];
  if (postgres) databases.push(['PostgreSQL', { DATABASE_URL: postgres.url }]);
  for (const [engine, variables] of databases) {
    const settings = { PORT: '0', DATA_DIR: join(folder, engine), ...variables };
    await loseAtMostASecond(engine, settings);
    await fillLog(settings);
    await read(engine, settings);
  }
  await postgres?.remove();
  rmSync(folder, { recursive: true });
}

/** Kills a server under load, and checks that no record older than a second was lost. */
async function loseAtMostASecond(engine: string, variables: Variables): Promise<void> {
  const site = await startProcess(SERVER, variables);
  const answered = new Map<string, number>();
  let visits = 0;
  let killed = false;
  const visit = async () => {
    while (!killed) {
      visits += 1;
      // A parameter that the log keeps.
      const url = `/?page=${visits}`;
      const response = await fetch(site.address + url).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      if (response) answered.set(url, performance.now());
    }
  };
  const visitors = Array.from({ length: 8 }, visit);
  await setTimeout(4000);
  site.child.kill('SIGKILL');
  const killedAt = performance.now();
  await once(site.child, 'exit');
  killed = true;
  await Promise.all(visitors);

  const database = await openDatabase(readEnv(variables));
  const stored = new Set<string>();
  for await (const records of allRecords(database.db, Date.now()))
    for (const { url } of records) stored.add(url);
  await database.close();
  const lost = [...answered].filter(([url, at]) => at < killedAt - 1000 && !stored.has(url));
  figure(`${engine}: requests lost that were more than a second old`, lost.length, { atMost: 0 });
}

/** Stores the requests of the last day, as a server would. */
async function fillLog(variables: Variables): Promise<void> {
  const database = await openDatabase(readEnv(variables));
  const log = new AccessLog(database.db, MAX_MB, pageOf);
  let waiting = 0;
  for (const record of traffic(Date.now())) {
    log.add(record);
    waiting += 1;
    if (waiting % AT_ONCE === 0) await log.flush();
  }
  await log.close();
  await database.close();
}

/** Records of nearly 24 hours, oldest first, with some slack, because storing them takes a while. */
function* traffic(now: number): Generator<AccessRecord> {
  const spread = 23.5 * 60 * 60_000;
  for (let i = 0; i < REQUESTS; i += 1) {
    // Each visitor makes a few requests in a row.
    const visitor = Math.floor((i * VISITORS) / REQUESTS);
    const chance = Math.random();
    yield {
      at: now - spread + Math.floor((i / REQUESTS) * spread),
      ip: `${10 + (visitor >> 20)}.${(visitor >> 12) & 255}.${(visitor >> 4) & 255}.${1 + (visitor & 15)}`,
      method: 'GET',
      url: ['/', '/news', '/checkout?plan=2', '/api/plans', '/assets/site.js'][i % 5] ?? '/',
      status: chance < 0.95 ? 200 : chance < 0.99 ? 404 : 500,
      durationUs: Math.round(Math.exp(6 + 3 * chance)),
      bytes: Math.floor(chance * 40_000),
      referrer: i % 5 === 0 ? 'https://search.example/?q=it' : '',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/136.0.0.0',
    };
  }
}

async function read(engine: string, variables: Variables): Promise<void> {
  const site = await startProcess(SERVER, variables);
  const staff = new Visitor(site.address);
  await staff.post('/api/admin/login', { username: DEMO_USERNAME, password: DEMO_PASSWORD });
  const medianOf = async (path: string) => {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(() => staff.get(path)));
    return median(times);
  };
  const analytics = await medianOf('/api/admin/logs/analytics');
  figure(`${engine}: analytics of ${REQUESTS} requests, median, ms`, analytics, { atMost: 150 });
  const raw = await medianOf('/api/admin/logs');
  figure(`${engine}: raw view, median, ms`, raw, { atMost: 200 });
  const answer = READ_ANALYTICS.answer.parse((await staff.get('/api/admin/logs/analytics')).json);
  figure(`${engine}: requests counted`, answer.analytics?.totalRequests ?? 0, {
    atLeast: REQUESTS,
  });

  const before = memoryMegabytes(site.child);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryMegabytes(site.child));
  }, 20);
  const cookie = `session=${staff.cookies.get('session')}`;
  let bytes = 0;
  const took = await timed(async () => {
    const { body } = await fetch(`${site.address}/api/admin/logs/download`, {
      headers: { Cookie: cookie },
    });
    for await (const chunk of body ?? []) bytes += chunk.byteLength;
  });
  clearInterval(watch);
  figure(`${engine}: CSV of ${Math.round(bytes / 1e6)} MB, MB/s`, bytes / 1000 / took, {
    atLeast: 5,
  });
  figure(`${engine}: more memory meanwhile, MB`, most - before, { atMost: 50 });
  await site.stop();
}
