/** A million requests in the access log: what reading them costs, what writing them costs the home page. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { analyticsAnswer } from '../../src/access-log/analytics.ts';
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
import { figure, median, timed } from './measure.ts';
import { type Get, medianOf, signIn } from './staff.ts';
import { buildUnloggedServer } from './unlogged-server.ts';
import { keepOffLoad, wrk } from './wrk.ts';

const REQUESTS = 1_000_000;
/** More than are counted one by one, so that the sample is tried too. */
const VISITORS = 150_000;
const ROUNDS = 15;

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
    const whole = await read(engine, ground);
    const tenth = await withATenth(ground, join(folder, 'tenth', engine));
    // It costs what the hours cost, not ten times as much; the rest is for a machine that is busy.
    figure(`${engine}: analytics, times as long as of a tenth of the requests`, whole / tenth, {
      atMost: 2,
    });
    await compareWithUnlogged(engine, ground, join(folder, 'unlogged'));
  }
  await postgres?.remove();
  rmSync(folder, { recursive: true });
}

/** Milliseconds that the analytics of a tenth of the requests take, in a database of their own. */
async function withATenth(variables: Variables, folder: string): Promise<number> {
  const own = { ...variables, DATA_DIR: folder, ...(await anotherDatabase(variables)) };
  await fillLog(own, REQUESTS / 10, VISITORS);
  const site = await startProcess(SERVER, own);
  const get = await signIn(site.address);
  const took = await medianOf(() => get('/api/admin/logs/analytics'));
  await site.stop();
  return took;
}

async function anotherDatabase({ DATABASE_URL }: Variables): Promise<Variables> {
  if (!DATABASE_URL) return {};
  const client = new pg.Client({ connectionString: DATABASE_URL });
  await client.connect();
  await client.query('CREATE DATABASE tenth');
  await client.end();
  return { DATABASE_URL: new URL('/tenth', DATABASE_URL).href };
}

/** Gives the median of the analytics in milliseconds. */
async function read(engine: string, variables: Variables): Promise<number> {
  const site = await startProcess(SERVER, variables);
  const get = await signIn(site.address);
  const analytics = await medianOf(() => get('/api/admin/logs/analytics'));
  figure(`${engine}: analytics of ${REQUESTS} requests, median, ms`, analytics, { atMost: 150 });
  const raw = await medianOf(() => get('/api/admin/logs'));
  figure(`${engine}: raw view, median, ms`, raw, { atMost: 200 });

  const answer = analyticsAnswer.parse(await (await get('/api/admin/logs/analytics')).json());
  const visitors = answer.analytics?.uniqueVisitors ?? 0;
  figure(`${engine}: unique visitors, off by %`, (Math.abs(visitors - VISITORS) / VISITORS) * 100, {
    atMost: 2,
  });
  figure(`${engine}: requests counted`, answer.analytics?.totalRequests ?? 0, {
    atLeast: REQUESTS,
  });
  await download(engine, site, get);
  await site.stop();
  return analytics;
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
    atLeast: 50,
  });
  figure(`${engine}: more memory meanwhile, MB`, most - before, { atMost: 50 });
}

/** The home page with and without the log, in turns, each by a crowd that keeps its server busy all the time. */
async function compareWithUnlogged(
  engine: string,
  variables: Variables,
  folder: string,
): Promise<void> {
  const logged = await startProcess(SERVER, variables);
  const unlogged = await startProcess(await buildUnloggedServer(), {
    ...variables,
    DATA_DIR: folder,
  });
  for (const site of [logged, unlogged]) {
    keepOffLoad(site);
    throughput(site, 5);
  }
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const without = throughput(unlogged, 2);
    ratios.push(throughput(logged, 2) / without);
  }
  figure(`${engine}: home page with the log, ratio to the same without`, median(ratios), {
    atLeast: 0.9,
  });
  await logged.stop();
  await unlogged.stop();
}

function throughput({ address }: RunningProcess, seconds: number): number {
  return wrk(address, seconds).perSecond;
}

/** Of all its threads, since its start. */
function processorMicroseconds({ pid }: ChildProcess): number {
  const threads = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(`${threads}/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000;
}
