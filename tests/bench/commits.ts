/** Orders and messages that 32 connections store in a second, against the rate at which the same disk takes one commit after the other: a message needs one commit, an order four. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../src/platform/database/sqlite.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../support/call-row.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { REACHABLE_DEMO, SERVER, startProcess } from '../support/server-process.ts';
import { figure, median } from './measure.ts';
import { keepOffLoad, wrk } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 3;

/** Each is somebody else's: the # becomes the number of the request. */
const EMAIL = 'jane-#@dealer.example';
const SUBJECTS = [
  { path: '/api/contact', body: { ...SAMPLE_MESSAGE, email: EMAIL }, ratio: 0.8 },
  { path: '/api/create-payment-intent', body: { ...SAMPLE_ORDER, email: EMAIL }, ratio: 0.25 },
];

export async function benchCommits(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  await measure('SQLite', { DATA_DIR: join(folder, 'data') }, folder);
  const programs = findPostgres();
  if (programs) {
    const postgres = await Postgres.create(programs);
    await postgres.start();
    await measure('PostgreSQL', { DATABASE_URL: postgres.url }, folder);
    await postgres.remove();
  } else console.log('        PostgreSQL is missing: it is left out');
  rmSync(folder, { recursive: true });
}

async function measure(
  engine: string,
  variables: Record<string, string>,
  folder: string,
): Promise<void> {
  const site = await startProcess(SERVER, { ...REACHABLE_DEMO, ...variables });
  keepOffLoad(site);
  for (const { path, body, ratio } of SUBJECTS) {
    const posted = { script: 'tests/bench/posting-visitors.lua', body: JSON.stringify(body) };
    const rates: { disk: number; site: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const disk = commitsPerSecond(folder);
      const stored = wrk(site.address + path, SECONDS, posted).perSecond;
      // The first round warms both up.
      if (round > 0) rates.push({ disk, site: stored });
    }
    const perSecond = Math.round(median(rates.map((rate) => rate.site)));
    console.log(`        ${engine}, ${path}: ${perSecond} a second`);
    figure(
      `${engine}: ${path}, ratio to the disk's own commits`,
      median(rates.map((rate) => rate.site / rate.disk)),
      { atLeast: ratio },
    );
  }
  await site.stop();
}

/** How many rows of a message's size are committed in a second, each by itself, as durably as the site does it. */
function commitsPerSecond(folder: string): number {
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
