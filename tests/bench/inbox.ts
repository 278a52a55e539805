/** The inbox with 100,000 threads and 500,000 entries: lists, filters, searches, counts and a thread. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { answerCalls } from '../../src/inbox/answer-thread.server.ts';
import { inboxCalls } from '../../src/inbox/inbox.server.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { callDirectly } from '../support/call-directly.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { ownContent } from '../support/own-content.ts';
import { Postgres } from '../support/postgres.ts';
import { siteWith } from '../support/site-with.ts';
import { figure } from './measure.ts';

const THREADS = 100_000;
const ENTRIES_EACH = 5;
const ROUNDS = 40;
const MAX_MS = 50;
const MAX_DELAY_MS = 20;
const NOW = Date.now();

const LIST = 'GET /api/admin/contacts';
const COUNTS = 'GET /api/admin/inbox/counts';
const QUERIES = [
  [LIST, ''],
  ...[
    '',
    '&kind=chat',
    '&service=voip',
    '&service=none',
    '&status=waiting',
    '&status=answered',
  ].map((filter) => [LIST, `page=1${filter}`]),
  [LIST, 'page=60'],
  [LIST, 'page=1&service=cloud&status=spam&kind=chat'],
  [LIST, 'page=1&from=2026-01-01&to=2026-11-30'],
  ...['printer', 'tablets%20lose', 'nobody-wrote-this', 'é', 'C-4711', 'e'].map((words) => [
    LIST,
    `page=1&find=${words}`,
  ]),
  ...['', 'kind=chat', 'service=voip', 'find=printer', 'from=2026-01-01&to=2026-11-30'].map(
    (filter) => [COUNTS, filter],
  ),
] as [string, string][];

export async function benchInbox(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  await measure('SQLite', await openDatabase({ databaseUrl: null, dataDir: folder }));
  rmSync(folder, { recursive: true });
  if (!findPostgres()) return console.log('PostgreSQL is missing: only SQLite was measured');
  const postgres = await Postgres.create();
  await postgres.start();
  await measure('PostgreSQL', await openDatabase({ databaseUrl: postgres.url, dataDir: '' }));
  await postgres.remove();
}

async function measure(engine: string, database: Database): Promise<void> {
  const { db } = database;
  await fill(database);
  const notify = async () => undefined;
  const content = ownContent();
  const site = siteWith({ content, company: content.company, db, notify, mail: true });
  const calls = [...inboxCalls(site), ...answerCalls(site)];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  for (const [name, query] of QUERIES)
    await run(`${engine}: ${name} ${query}`, () => callDirectly(calls, name, { query }));
  for (const id of [1, THREADS - 7])
    await run(`${engine}: thread ${id}`, () =>
      callDirectly(calls, 'GET /api/admin/threads/:id', { id }),
    );
  await database.close();

  async function run(what: string, act: () => Promise<unknown>): Promise<void> {
    const times: number[] = [];
    let longest = 0;
    await act();
    for (let round = 0; round < ROUNDS; round += 1) {
      await setTimeout(5);
      delay.enable();
      delay.reset();
      const began = performance.now();
      await act();
      times.push(performance.now() - began);
      await setTimeout(2);
      delay.disable();
      longest = Math.max(longest, delay.max / 1e6);
    }
    const [p95 = 0] = times.toSorted((a, b) => a - b).slice(Math.floor(ROUNDS * 0.95));
    figure(`${what}, ms (p95)`, p95, { atMost: MAX_MS });
    if (engine === 'SQLite') figure('  longest turn, ms', longest, { atMost: MAX_DELAY_MS });
  }
}

/** Rows per statement: a query may take a few seconds at most. */
const BATCH = 10_000;

async function fill({ db, engine }: Database): Promise<void> {
  for (let first = 1; first <= THREADS; first += BATCH)
    await fillThreads(db, first, first + BATCH - 1);
  if (engine === 'postgres') await sql`analyze`.execute(db);
}

/** Two thirds are answered, one in ten is spam; they came a minute apart. */
async function fillThreads(db: Db, first: number, last: number): Promise<void> {
  const now = sql.lit(NOW);
  const mark = sql`case when i % 10 = 0 then 'spam' when i % 10 < 7 then 'answered'
    when i % 10 < 9 then 'waiting' else 'new' end`;
  const service = sql`case when i % 3 = 0 then null when i % 3 = 1 then 'voip' else 'cloud' end`;
  const numbers = (from: number, to: number) =>
    sql`with recursive n(i) as (select cast(${sql.lit(from)} as bigint)
      union all select i + 1 from n where i < ${sql.lit(to)})`;
  await sql`insert into threads
      ("kind", "name", "email", "phone", "service", "status", "createdAt", "lastAt", "changedAt", "waitsSince")
    ${numbers(first, last)}
    select case when i % 2 = 0 then 'chat' else 'contact' end, 'Visitor ' || i,
      'visitor-' || (i / 3) || '@dealer.example', '(770) 555-0134', ${service}, ${mark},
      ${now} - i * 60000, ${now} - i * 60000, ${now} - i * 60000,
      case when i % 10 > 6 then ${now} - i * 60000 end from n`.execute(db);
  const words =
    'Our service-lane tablets lose Wi-Fi every afternoon, and the DMS signs everybody out. ';
  const each = sql.lit(ENTRIES_EACH);
  await sql`insert into entries ("threadId", "kind", "text", "at")
    ${numbers((first - 1) * ENTRIES_EACH + 1, last * ENTRIES_EACH)}
    select (i - 1) / ${each} + 1,
      case i % 5 when 1 then 'visitor' when 3 then 'staff' when 4 then 'visitor' else 'reply' end,
      ${`${words}${words}${words}`} || case when i % 40 = 4 then 'The printer too.' else '' end,
      ${now} - ((i - 1) / ${each} + 1) * 60000 + i % 5 from n`.execute(db);
}
