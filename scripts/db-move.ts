/**
 * `npm run db:move -- --from URL|folder --to URL|folder`: copies a database to an empty one of either kind, and compares
 * the two. All of it is one transaction of the target: after a kill, or where the two differ, the target is as it was.
 */
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { CannotStart, reason } from '../src/platform/config/cannot-start.server.ts';
import { type Database, openDatabase } from '../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../src/platform/database/sqlite.server.ts';
import { runCommand } from './command.ts';

const BATCH = 2000;
/** For how long connections to a database that should be at rest may take to go. */
const REST_TRIES = 10;
const REST_PAUSE_MS = 300;

interface Table {
  name: string;
  columns: { name: string; type: 'bigint' | 'text' }[];
  /** The names of the primary key's columns. */
  key: string[];
  /** Its rows have numbers, and one that was given once is not given again. */
  numbered: boolean;
  /** Rows that the migration itself makes. */
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
  const source = await openAtRest(from, '--from');
  const target = await openAtRest(to, '--to').catch(async (error) => {
    await source.close();
    throw error;
  });
  try {
    const rows = await move(source, target, tables);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`moved ${rows} rows of ${tables.length} tables in ${seconds} s, checksums agree`);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
});

async function move(source: Database, target: Database, tables: Table[]): Promise<number> {
  for (const { name, ownRows } of tables) {
    const rows = await countRows(target, name);
    if (rows > ownRows)
      throw new CannotStart(`--to holds ${rows} rows in ${name}: name an empty database`);
  }
  const moved = await target.db.transaction().execute(async (db) => {
    const into = { ...target, db };
    // While the source is read, the target waits for longer than a server's transaction may.
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
  // What the planner knows of the rows, or the first queries would be slow.
  if (target.engine === 'postgres') await sql`analyze`.execute(target.db);
  return moved;
}

function isUrl(place: string): boolean {
  return /^postgres(ql)?:\/\//.test(place);
}

async function openAtRest(place: string, option: string): Promise<Database> {
  if (isUrl(place) && !URL.canParse(place)) throw new CannotStart(`${option} is no address`);
  const databaseUrl = isUrl(place) ? place : null;
  const database = await openDatabase({ databaseUrl, dataDir: place });
  // SQLite's folder has a lock that only one server or move can have.
  for (let tries = 1; database.engine === 'postgres'; tries += 1) {
    const others = await countOthers(database);
    if (others === 0) break;
    if (tries === REST_TRIES) {
      await database.close();
      throw new CannotStart(
        `${others} other connections use the database of ${option}: stop every server first`,
      );
    }
    await setTimeout(REST_PAUSE_MS);
  }
  return database;
}

async function countOthers({ db }: Database): Promise<number> {
  const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(
    db,
  );
  return rows[0]?.others ?? 0;
}

/** All tables in the order in which the migrations make them, so that none comes before one that it refers to. */
async function readTables(): Promise<Table[]> {
  const folder = mkdtempSync(join(tmpdir(), 'site-tables-'));
  const database = await openDatabase({ databaseUrl: null, dataDir: folder });
  const { rows } = await sql<{
    table: string;
    name: string;
    type: string;
    key: number;
  }>`select t.name as "table", c.name, c.type, c.pk as "key"
    from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'
    order by t.rowid, c.cid`.execute(database.db);
  const tables: Table[] = [];
  for (const [name, columns] of Map.groupBy(rows, ({ table }) => table))
    tables.push({
      name,
      columns: columns.map(({ name, type }) => ({
        name,
        type: type.toLowerCase() === 'text' ? 'text' : 'bigint',
      })),
      key: columns
        .filter(({ key }) => key > 0)
        .sort((a, b) => a.key - b.key)
        .map(({ name }) => name),
      numbered: columns.some(({ name, type }) => name === 'id' && type.toLowerCase() === 'integer'),
      ownRows: await countRows(database, name),
    });
  await database.close();
  rmSync(folder, { recursive: true });
  return tables;
}

async function countRows({ db }: Database, table: string): Promise<number> {
  const counting = sql<{ rows: number }>`select count(*) as "rows" from ${sql.table(table)}`;
  return (await counting.execute(db)).rows[0]?.rows ?? 0;
}

async function copyTable(source: Database, target: Database, table: Table): Promise<void> {
  let stored = Promise.resolve();
  for await (const batch of readBatches(source, table)) {
    await stored;
    stored = store(target, table, batch);
    // While it is stored the next one is read; a failure is thrown by the next `await`.
    stored.catch(() => undefined);
  }
  await stored;
}

/** In the order of the key. */
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

/** The rows are one parameter, a list of lists in JSON, which both engines read far faster than a parameter per value. */
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

/** The next number of each table is the one that the source would have given. */
async function copyCounters(source: Database, target: Database, tables: Table[]): Promise<void> {
  const { rows } = await (source.engine === 'sqlite'
    ? sql<{ name: string; last: number | null }>`select name, seq as last from sqlite_sequence`
    : sql<{ name: string; last: number | null }>`select table_name as name,
          pg_sequence_last_value(pg_get_serial_sequence(quote_ident(table_name), column_name)::regclass) as last
          from information_schema.columns where is_identity = 'YES' and table_schema = current_schema()`
  ).execute(source.db);
  const given = new Map(rows.map(({ name, last }) => [name, last ?? 0]));
  for (const { name } of tables.filter(({ numbered }) => numbered)) {
    const last = given.get(name) ?? 0;
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

/** How many rows there are in all; throws a CannotStart when a table of the two is not the same. */
async function compareAll(source: Database, target: Database, tables: Table[]): Promise<number> {
  const faults: string[] = [];
  let all = 0;
  for (const table of tables) {
    const [kept, copied] = await Promise.all([checksum(source, table), checksum(target, table)]);
    if (`${kept}` !== `${copied}`) faults.push(`${table.name}: ${kept} there, ${copied} here`);
    else if (kept.rows > 0) console.log(`${table.name}: ${kept}`);
    all += kept.rows;
  }
  if (faults.length > 0)
    throw new CannotStart(
      'The two are not equal, so something wrote to --from meanwhile; begin again:',
      faults,
    );
  return all;
}

async function checksum(database: Database, table: Table): Promise<Checksum> {
  const sum = new Checksum();
  for await (const batch of readBatches(database, table))
    for (const row of batch) sum.add(JSON.stringify(row));
  return sum;
}

/**
 * The number of a table's rows, and the sum of their hashes (SHA-256 as four numbers of 64 bits). The sum is the same in
 * whatever order the rows come, since databases sort text in different ways.
 */
class Checksum {
  rows = 0;
  readonly #sum = new BigUint64Array(4);

  add(row: string): void {
    const digest = hash('sha256', row, 'buffer');
    this.rows += 1;
    for (let lane = 0; lane < 4; lane += 1)
      this.#sum[lane] = (this.#sum[lane] ?? 0n) + digest.readBigUInt64LE(lane * 8);
  }

  toString(): string {
    const hex = [...this.#sum].map((lane) => lane.toString(16).padStart(16, '0')).join('');
    return `${this.rows} rows, ${hex}`;
  }
}
