/**
 * `npm run db:move -- --from URL|folder --to URL|folder`: copies a database to an empty one, SQLite
 * or PostgreSQL, and compares the two. It is one transaction in the target, which stays empty after
 * a kill or a difference.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { withHost } from '../src/env.server.ts';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import {
  type Database,
  isMigrated,
  openDatabase,
  openUnmigrated,
} from '../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';
import { runCommand, withDatabase } from './command.ts';

const BATCH = 2000;
/** How long to wait for other connections to close. */
const CONNECTION_TRIES = 10;
const CONNECTION_PAUSE_MS = 300;

interface Table {
  name: string;
  columns: { name: string; type: 'bigint' | 'text' }[];
  /** Columns of the primary key. */
  key: string[];
  /** Has an automatic id that is never reused. */
  numbered: boolean;
  /** Rows that the migration itself inserts. */
  ownRows: number;
}

type Value = string | number | null;
type Row = Value[];

void runCommand(async () => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, to: { type: 'string' } } });
  const { from, to } = values;
  if (!from || !to)
    throw new CannotStart('Use: npm run db:move -- --from URL|folder --to URL|folder');
  const began = performance.now();
  if (!isUrl(from) && !existsSync(join(from, SQLITE_FILE)))
    throw new CannotStart(`There is no database at ${join(from, SQLITE_FILE)} (--from)`);
  const tables = await readTables();
  // The source is not migrated, because a wrong address must not get tables.
  const rows = await withDatabase(openUnmigrated(placeOf(from, '--from')), async (source) => {
    await refuseEmpty(source, tables);
    await waitForOthersToClose(source, '--from');
    return withDatabase(openDatabase(placeOf(to, '--to')), async (target) => {
      await waitForOthersToClose(target, '--to');
      return move(source, target, tables);
    });
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(`moved ${rows} rows of ${tables.length} tables in ${seconds} s, checksums agree`);
});

function isUrl(place: string): boolean {
  return /^\w{2,}:\//.test(place);
}

function placeOf(place: string, option: string): { databaseUrl: string | null; dataDir: string } {
  if (isUrl(place) && !/^postgres(ql)?:\/\//i.test(place))
    throw new CannotStart(`${option} must be a folder, or an address that begins with postgres://`);
  const url = isUrl(place) ? withHost(place) : null;
  if (url && !URL.canParse(url)) throw new CannotStart(`${option} is no address`);
  return { databaseUrl: url, dataDir: place };
}

async function refuseEmpty(source: Database, tables: Table[]): Promise<void> {
  if (!(await isMigrated(source)))
    throw new CannotStart(
      '--from has not the tables of this version: name the database of the site, on which this version has started once',
    );
  if (!(await findFilled(source, tables)))
    throw new CannotStart('--from holds no rows: name the database of the site');
}

/** Finds a table with more rows than the migration inserts. */
async function findFilled(database: Database, tables: Table[]): Promise<Table | undefined> {
  for (const table of tables)
    if ((await countRows(database, table.name)) > table.ownRows) return table;
  return undefined;
}

/** Waits for other connections to PostgreSQL to close. SQLite has a lock. */
async function waitForOthersToClose(database: Database, option: string): Promise<void> {
  for (let tries = 1; database.engine === 'postgres'; tries += 1) {
    const others = await countOthers(database);
    if (others === 0) return;
    if (tries === CONNECTION_TRIES)
      throw new CannotStart(
        `${others} other connections use the database of ${option}: stop every server first`,
      );
    await setTimeout(CONNECTION_PAUSE_MS);
  }
}

async function move(source: Database, target: Database, tables: Table[]): Promise<number> {
  const filled = await findFilled(target, tables);
  if (filled) throw new CannotStart(`--to holds rows in ${filled.name}: name an empty database`);
  const moved = await target.db.transaction().execute(async (db) => {
    const into = { ...target, db };
    // The target is idle while the source is read, longer than a server's transaction may be.
    if (target.engine === 'postgres')
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(db);
    for (const { name, ownRows } of tables)
      if (ownRows > 0) await sql`delete from ${sql.table(name)}`.execute(db);
    for (const table of tables) {
      console.log(`copying ${table.name}`);
      await copyTable(source, into, table).catch((error: unknown) => {
        throw new CannotStart(`${table.name} cannot be copied: ${reason(error)}`);
      });
    }
    await copyCounters(source, into, tables);
    return compareAll(source, into, tables);
  });
  // Without statistics the first queries would be slow.
  if (target.engine === 'postgres') await sql`analyze`.execute(target.db);
  return moved;
}

async function countOthers({ db }: Database): Promise<number> {
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    db,
  );
  return rows[0]?.others ?? 0;
}

/** Lists all tables in the order of creation, so that a table comes after those it refers to. */
async function readTables(): Promise<Table[]> {
  const folder = mkdtempSync(join(tmpdir(), 'site-tables-'));
  const place = { databaseUrl: null, dataDir: folder };
  const tables = await withDatabase(openDatabase(place), describeTables);
  rmSync(folder, { recursive: true });
  return tables;
}

async function describeTables(database: Database): Promise<Table[]> {
  const { rows } = await sql<{
    table: string;
    name: string;
    type: string;
    key: number;
  }>`select t.name as "table", c.name, lower(c.type) as type, c.pk as "key"
    from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite%' and t.name not in ('kysely_migration', 'applied_migrations')
    order by t.rowid, c.cid`.execute(database.db);
  const tables: Table[] = [];
  for (const [name, columns] of Map.groupBy(rows, ({ table }) => table))
    tables.push({
      name,
      columns: columns.map(({ name, type }) => ({ name, type: type === 'text' ? type : 'bigint' })),
      key: columns
        .filter(({ key }) => key > 0)
        .sort((a, b) => a.key - b.key)
        .map(({ name }) => name),
      numbered: columns.some(({ name, type }) => name === 'id' && type === 'integer'),
      ownRows: await countRows(database, name),
    });
  return tables;
}

async function countRows({ db }: Database, table: string): Promise<number> {
  const counting = sql<{ rows: number }>`select count(*) as "rows" from ${sql.table(table)}`;
  return (await counting.execute(db)).rows[0]?.rows ?? 0;
}

async function copyTable(source: Database, target: Database, table: Table): Promise<void> {
  for await (const batch of readBatches(source, table)) await store(target, table, batch);
}

/** Reads a table in key order. */
async function* readBatches({ db }: Database, table: Table): AsyncGenerator<Row[]> {
  const key = refs(table.key);
  const columns = refs(table.columns.map(({ name }) => name));
  for (let after: Row | undefined; ; ) {
    const { rows } = await sql<
      Record<string, Value>
    >`select ${columns} from ${sql.table(table.name)}
      ${after ? sql`where (${key}) > (${sql.join(after)})` : sql``} order by ${key} limit ${sql.lit(BATCH)}`.execute(
      db,
    );
    if (rows.length > 0) yield rows.map((row) => Object.values(row));
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = table.key.map((name) => last[name] ?? null);
  }
}

function refs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

/** Passes the rows as one JSON parameter, which both engines read far faster than one per value. */
async function store({ db, engine }: Database, table: Table, batch: Row[]): Promise<void> {
  const columns = refs(table.columns.map(({ name }) => name));
  const values = table.columns.map(
    ({ type }, index) => sql`cast(value ->> ${sql.lit(index)} as ${sql.raw(type)})`,
  );
  const json = JSON.stringify(batch);
  const [overriding, rows] =
    engine === 'sqlite'
      ? [sql``, sql`json_each(${json})`]
      : [sql`overriding system value`, sql`json_array_elements(${json}::json) as rows(value)`];
  await sql`insert into ${sql.table(table.name)} (${columns}) ${overriding} select ${sql.join(values)} from ${rows}`.execute(
    db,
  );
}

/** Makes each table go on with the next id that the source would have assigned. */
async function copyCounters(source: Database, target: Database, tables: Table[]): Promise<void> {
  const { rows } = await (source.engine === 'sqlite'
    ? sql<{ name: string; last: number | null }>`select name, seq as last from sqlite_sequence`
    : sql<{ name: string; last: number | null }>`select table_name as name,
          pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass) as last
          from information_schema.columns where is_identity = 'YES' and table_schema = current_schema()`
  ).execute(source.db);
  const lastIds = new Map(rows.map(({ name, last }) => [name, last ?? 0]));
  for (const { name } of tables.filter(({ numbered }) => numbered)) {
    const last = lastIds.get(name) ?? 0;
    if (target.engine === 'postgres')
      await sql`select setval(sequence::regclass, last) from (select
        pg_get_serial_sequence(quote_ident(${name}), 'id') as sequence,
        greatest(${last}::bigint, (select max("id") from ${sql.table(name)})) as last) as own
        where sequence is not null and last > 0`.execute(target.db);
    else if (last > 0) {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(target.db);
      await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(
        target.db,
      );
    }
  }
}

/** Returns the total number of rows; throws CannotStart if a table differs. */
async function compareAll(source: Database, target: Database, tables: Table[]): Promise<number> {
  const differences: string[] = [];
  let all = 0;
  for (const table of tables) {
    const [kept, copied] = await Promise.all([checksum(source, table), checksum(target, table)]);
    if (kept.text !== copied.text)
      differences.push(`${table.name}: ${kept.text} there, ${copied.text} here`);
    else if (kept.rows > 0) console.log(`${table.name}: ${kept.text}`);
    all += kept.rows;
  }
  if (differences.length > 0)
    throw new CannotStart(
      'The two are not equal, so something wrote to --from meanwhile; begin again:',
      differences,
    );
  return all;
}

/**
 * A table's number of rows and the sum of their hashes. The sum does not depend on the order, in
 * which databases differ for text.
 */
async function checksum(database: Database, table: Table): Promise<{ rows: number; text: string }> {
  let rows = 0;
  let sum = 0n;
  for await (const batch of readBatches(database, table)) {
    rows += batch.length;
    for (const row of batch) sum += BigInt(`0x${hash('sha256', JSON.stringify(row))}`);
  }
  return { rows, text: `${rows} rows, ${BigInt.asUintN(256, sum).toString(16)}` };
}
