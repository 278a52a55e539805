/** How long a large database takes from SQLite to PostgreSQL and back. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../src/platform/database/database.server.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { figure, timed } from './measure.ts';

const LOG_ROWS = 1_000_000;
const MESSAGES = 100_000;
const ORDERS = 10_000;
const MOST_SECONDS = 120;

export async function benchMove(): Promise<void> {
  const programs = findPostgres();
  if (!programs) return console.log('        PostgreSQL is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'site-move-'));
  const postgres = await Postgres.create(programs);
  await postgres.start();
  try {
    const full = join(folder, 'full');
    const database = await openDatabase({ databaseUrl: null, dataDir: full });
    await fill(database);
    await database.close();
    await move('SQLite to PostgreSQL', full, postgres.url);
    await move('PostgreSQL to SQLite', postgres.url, join(folder, 'back'));
  } finally {
    await postgres.remove();
    rmSync(folder, { recursive: true });
  }
}

async function move(what: string, from: string, to: string): Promise<void> {
  const command = ['scripts/db-move.ts', '--from', from, '--to', to];
  const ms = await timed(async () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    console.log(`        ${(status === 0 ? stdout : stderr).trim().split('\n').at(-1)}`);
    if (status !== 0) throw new Error(`${what} failed`);
  });
  figure(`${what}, seconds`, ms / 1000, { atMost: MOST_SECONDS });
}

/** As a busy site's tables are, made by SQLite itself. */
async function fill({ db }: Database): Promise<void> {
  const numbers = (count: number) =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})`;
  await sql`insert into "accessLog" ("at", "ip", "method", "url", "status", "durationUs", "bytes", "referrer", "userAgent", "size")
    ${numbers(LOG_ROWS)} select 1790000000000 + i * 80, '203.0.' || (i % 256) || '.' || (i % 199), 'GET',
    '/news/' || (i % 40) || '?from=' || i, 200, i % 90000, i % 50000, 'https://search.example/?q=it',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36', 180 from n`.execute(
    db,
  );
  await sql`insert into "contactSubmissions" ("name", "email", "phone", "service", "message", "createdAt")
    ${numbers(MESSAGES)} select 'Zoë ' || i, 'zoe' || i || '@dealer.example', null, 'voip',
    i || replace(hex(zeroblob(20)), '00', ' Our phones are “down”, please call.'), 1790000000000 + i from n`.execute(
    db,
  );
  await sql`insert into "orders" ("id", "name", "email", "planId", "planName", "paymentMethod", "amountCents", "provider", "requestHash", "createdAt")
    ${numbers(ORDERS)} select i, 'Zoë ' || i, 'zoe' || i || '@dealer.example', 1, 'Essential', 'credit_card', 45000,
    'test', hex(i), 1790000000000 + i from n`.execute(db);
  await sql`insert into "orderHistory" ("orderId", "status", "at", "text")
    select "id", 'pending', "createdAt", 'placed' from "orders" union all
    select "id", 'paid', "createdAt" + 1000, 'paid' from "orders"`.execute(db);
}
