/**
 * Orders and messages against the rate at which the same disk takes one commit after the other, or at which pgbench has the
 * same statements executed, within one run. What the statements alone come to in Node tells how much is left for a site.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/platform/database/sqlite-dialect.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../support/call-row.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import {
  REACHABLE_DEMO,
  type RunningProcess,
  SERVER,
  startProcess,
} from '../support/server-process.ts';
import { byDriver, onSqlite } from './alone.ts';
import { figure, median } from './measure.ts';
import { keepOffLoad, wrk } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** Of the disk's own rate, and of pgbench's. */
const SHARE = 0.8;

interface Subject {
  what: string;
  path: string;
  body: object;
  /** What it sends to the database, as a file for pgbench. */
  statements: string;
}

/** Each is somebody else's: the # becomes the number of the request. */
const EMAIL = 'jane-#@dealer.example';
const SUBJECTS: readonly Subject[] = [
  {
    what: 'contact',
    path: '/api/contact',
    body: { ...SAMPLE_MESSAGE, email: EMAIL },
    statements: 'tests/bench/contact.sql',
  },
  {
    what: 'create-payment-intent',
    path: '/api/create-payment-intent',
    body: { ...SAMPLE_ORDER, email: EMAIL },
    statements: 'tests/bench/order.sql',
  },
];

export async function benchCommits(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const data = join(folder, 'data');
  await compare('SQLite', { DATA_DIR: data }, () => onDisk(folder));
  for (const { what, statements } of SUBJECTS) {
    const ratio = onSqlite(join(data, 'site.sqlite'), statements, SECONDS) / onDisk(folder);
    console.log(
      `        SQLite: ${what}, its statements alone, 32 to a commit: ${ratio.toFixed(3)}`,
    );
  }
  const programs = findPostgres();
  if (programs && spawnSync('pgbench', ['--version']).status === 0) {
    const postgres = await Postgres.create(programs);
    await postgres.start();
    await compare('PostgreSQL', { DATABASE_URL: postgres.url }, ({ statements }) =>
      byPgbench(postgres.url, statements),
    );
    for (const { what, statements } of SUBJECTS) {
      const alone = await byDriver(postgres.url, statements, SECONDS);
      const ratio = alone / byPgbench(postgres.url, statements);
      console.log(
        `        PostgreSQL: ${what}, its statements by Node's driver: ${ratio.toFixed(3)}`,
      );
    }
    await postgres.remove();
  } else console.log('        pgbench is not there: PostgreSQL is left out');
  rmSync(folder, { recursive: true });
}

async function compare(
  engine: string,
  variables: Record<string, string>,
  alone: (subject: Subject) => number,
): Promise<void> {
  const site = await startProcess(SERVER, { ...REACHABLE_DEMO, ...variables });
  keepOffLoad(site);
  for (const subject of SUBJECTS) {
    const rates: { own: number; ours: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rate = { own: alone(subject), ours: post(site, subject) };
      // The first round warms all of them up.
      if (round > 0) rates.push(rate);
    }
    const own = Math.round(median(rates.map((rate) => rate.own)));
    const ours = Math.round(median(rates.map((rate) => rate.ours)));
    const than = engine === 'SQLite' ? "the disk's own commits" : 'the same statements by pgbench';
    console.log(`        ${engine}, ${subject.what}: ${ours} a second; ${than}: ${own}`);
    const ratio = median(rates.map((rate) => rate.ours / rate.own));
    figure(`${engine}: ${subject.what}, ratio to ${than}`, ratio, { atLeast: SHARE });
  }
  await site.stop();
}

function post({ address }: RunningProcess, { path, body }: Subject): number {
  const posted = { script: 'tests/bench/posting-visitors.lua', body: JSON.stringify(body) };
  return wrk(address + path, SECONDS, posted).perSecond;
}

/** How many rows of a message's size are committed in a second, each by itself, as durably as the site does it. */
function onDisk(folder: string): number {
  const database = openSqlite(join(folder, 'disk.sqlite'));
  database.exec('CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, message TEXT)');
  const insert = database.prepare('INSERT INTO messages (message) VALUES (?)');
  const message = JSON.stringify(SAMPLE_MESSAGE).repeat(2);
  const began = performance.now();
  let commits = 0;
  for (; performance.now() - began < SECONDS * 1000; commits += 1) insert.run(message);
  const perSecond = (commits * 1000) / (performance.now() - began);
  database.close();
  return perSecond;
}

function byPgbench(url: string, statements: string): number {
  const args = ['-n', '-M', 'prepared', '-c', '32', '-T', `${SECONDS}`, '-f', statements, url];
  const printed = execFileSync('pgbench', args, { encoding: 'utf8' });
  return Number(/tps = ([\d.]+)/.exec(printed)?.[1]);
}
