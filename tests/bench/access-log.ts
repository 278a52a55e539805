/** A million requests in the access log: what reading them costs, and what a kill loses. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { READ_ANALYTICS } from '../../src/access-log/access-log-api.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import {
  memoryMegabytes,
  type RunningProcess,
  SERVER,
  startProcess,
} from '../support/server-process.ts';
import { fillLog } from './fill-log.ts';
import { loseAtMostASecond } from './kill-access-log.ts';
import { figure, timed } from './measure.ts';
import { type Get, medianOf, signIn } from './staff.ts';

const REQUESTS = 1_000_000;
const VISITORS = 150_000;

type Variables = Record<string, string>;

export async function benchAccessLog(): Promise<void> {
  const programs = findPostgres();
  const postgres = programs ? await Postgres.create(programs) : undefined;
  await postgres?.start();
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const grounds: [string, Variables][] = [['SQLite', {}]];
  if (postgres) grounds.push(['PostgreSQL', { DATABASE_URL: postgres.url }]);
  for (const [engine, variables] of grounds) {
    const ground = { PORT: '0', DATA_DIR: join(folder, engine), ...variables };
    await loseAtMostASecond(engine, ground);
    await fillLog(ground, REQUESTS, VISITORS);
    await read(engine, ground);
  }
  await postgres?.remove();
  rmSync(folder, { recursive: true });
}

async function read(engine: string, variables: Variables): Promise<void> {
  const site = await startProcess(SERVER, variables);
  const get = await signIn(site.address);
  const analytics = await medianOf(() => get('/api/admin/logs/analytics'));
  figure(`${engine}: analytics of ${REQUESTS} requests, median, ms`, analytics, { atMost: 150 });
  const raw = await medianOf(() => get('/api/admin/logs'));
  figure(`${engine}: raw view, median, ms`, raw, { atMost: 200 });

  const answer = READ_ANALYTICS.answer.parse(await (await get('/api/admin/logs/analytics')).json());
  const visitors = answer.analytics?.uniqueVisitors ?? 0;
  figure(`${engine}: visitors counted`, visitors, { atLeast: VISITORS, atMost: VISITORS + 1 });
  figure(`${engine}: requests counted`, answer.analytics?.totalRequests ?? 0, {
    atLeast: REQUESTS,
  });
  await download(engine, site, get);
  await site.stop();
}

async function download(engine: string, site: RunningProcess, get: Get): Promise<void> {
  const before = memoryMegabytes(site.child);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, memoryMegabytes(site.child));
  }, 20);
  const used = processorMicroseconds(site.child);
  let bytes = 0;
  const took = await timed(async () => {
    const { body } = await get('/api/admin/logs/download');
    for await (const chunk of body ?? []) bytes += chunk.byteLength;
  });
  clearInterval(watch);
  const processor = processorMicroseconds(site.child) - used;
  console.log(
    `        ${Math.round(bytes / processor)} MB for each second of the server's processor time`,
  );
  figure(`${engine}: CSV of ${Math.round(bytes / 1e6)} MB, MB/s`, bytes / 1000 / took, {
    atLeast: 5,
  });
  figure(`${engine}: more memory meanwhile, MB`, most - before, { atMost: 50 });
}

/** Of all its threads, since its start. */
function processorMicroseconds({ pid }: ChildProcess): number {
  const threads = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
}
