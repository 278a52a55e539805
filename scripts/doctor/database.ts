/** Whether the database is there, keeps what it acknowledges, and is one that this version may serve. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import { reason } from '../../src/platform/config/cannot-start.server.ts';
import type { Env } from '../../src/platform/config/env.server.ts';
import { databaseSource, refuseUnknownStep } from '../../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../../src/platform/database/sqlite.server.ts';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import { type Check, type Finding, failure, ok, warning } from './finding.ts';

/** The oldest that its makers still mend. */
const OLDEST_POSTGRES = 15;
const LAG_SECONDS = 10;

export const checkDatabase: Check = async ({ env }) => {
  if (!env.databaseUrl && !existsSync(join(env.dataDir, SQLITE_FILE)))
    return [ok(`none yet: the first start makes it in ${env.dataDir}`)];
  try {
    return await withDatabase(env, async (db) => {
      await refuseUnknownStep(db);
      return env.databaseUrl ? checkPostgres(db) : checkSqlite(db);
    });
  } catch (error) {
    const where = env.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR';
    return [failure(reason(error), `Mend it, or name another database in ${where}.`)];
  }
};

/** As the server opens it, but without bringing its tables to this version. */
export async function withDatabase<Result>(
  env: Env,
  act: (db: Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
  const source = await databaseSource(env, true);
  try {
    await source.open();
    return await act(new Kysely<Tables>({ dialect: source.dialect(async () => undefined) }));
  } finally {
    await source.close();
  }
}

async function checkSqlite(db: Kysely<Tables>): Promise<Finding[]> {
  const { rows } = await sql<{ version: string; damage: string }>`select
    sqlite_version() as version, quick_check as damage from pragma_quick_check`.execute(db);
  const [{ version, damage } = { version: '', damage: 'unread' }] = rows;
  return damage === 'ok'
    ? [ok(`SQLite ${version}, undamaged`)]
    : [failure(`the file is damaged: ${damage}`, 'Restore the newest backup.')];
}

async function checkPostgres(db: Kysely<Tables>): Promise<Finding[]> {
  const { rows } = await sql<{ version: string; replica: boolean }>`select
    current_setting('server_version') as version, pg_is_in_recovery() as replica`.execute(db);
  const [{ version, replica } = { version: '0', replica: false }] = rows;
  if (replica)
    return [
      failure(
        'DATABASE_URL leads to a replica, which takes no orders',
        'Name the primary; with several hosts in the address add target_session_attrs=read-write.',
      ),
    ];
  const isOld = Number.parseInt(version, 10) < OLDEST_POSTGRES;
  const text = `PostgreSQL ${version}, what it acknowledges is on its disk`;
  return [
    isOld
      ? warning(text, `Upgrade to PostgreSQL ${OLDEST_POSTGRES} or newer: this one is not mended.`)
      : ok(text),
    ...(await checkReplicas(db)),
  ];
}

/** What a user without the role pg_monitor may not see is null, and counts as well. */
async function checkReplicas(db: Kysely<Tables>): Promise<Finding[]> {
  const { rows } = await sql<{ name: string; state: string | null; lag: number }>`select
    coalesce(nullif(application_name, ''), host(client_addr), 'replica') as name, state,
    coalesce(extract(epoch from replay_lag), 0)::float8 as lag from pg_stat_replication`.execute(
    db,
  );
  return rows.map(({ name, state, lag }) => {
    const text = `replica ${name}: ${state ?? 'state unknown'}, ${lag.toFixed(1)} s behind`;
    return lag > LAG_SECONDS || (state !== null && state !== 'streaming')
      ? warning(
          text,
          "See the replica's log: a failover to it now would wait, or lose what it lacks.",
        )
      : ok(text);
  });
}
