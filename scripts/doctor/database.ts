/** Whether the database is available, durable, and of a version that this site can serve. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import type { Env } from '../../src/env.server.ts';
import { describeFault, openFaults } from '../../src/notifications/faults.server.ts';
import { reason } from '../../src/platform/config/cannot-start.server.ts';
import { appliedMigrations, openUnmigrated } from '../../src/platform/database/database.server.ts';
import { SQLITE_FILE } from '../../src/platform/database/sqlite.server.ts';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import { isoTime } from '../../src/platform/time.ts';
import { findErasedAgain } from '../../src/privacy/erasures-file.server.ts';
import { withDatabase } from '../command.ts';
import type { Check, Report } from './report.ts';

/** The oldest version that gets fixes. */
const MIN_POSTGRES = 15;
const MAX_LAG_SECONDS = 10;

export const checkDatabase: Check = async (report, { env }) => {
  if (!hasDatabase(env)) return report.ok(`none yet: the first start makes it in ${env.dataDir}`);
  try {
    await withDatabase(openUnmigrated(env, { alongsideServer: true }), async (database) => {
      // Refuses one of another version.
      const applied = await appliedMigrations(database);
      const { db } = database;
      await (env.databaseUrl ? checkPostgres(report, db) : checkSqlite(report, db));
      // Before an upgrade, the tables are the former version's.
      if (applied.includes('005-faults')) await checkFaults(report, db);
      const erased = env.backups ? await findErasedAgain(db, env.backups.folder) : [];
      if (erased.length > 0)
        report.error(
          `persons who were erased are here again: ${erased.length}`,
          'A copy was restored: run npm run erase-again.',
        );
    });
  } catch (error) {
    const variable = env.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR';
    report.error(reason(error), `Mend it, or name another database in ${variable}.`);
  }
};

export function hasDatabase({ databaseUrl, dataDir }: Env): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, SQLITE_FILE));
}

/** What the server could not do for long, and staff are shown. */
async function checkFaults(report: Report, db: Kysely<Tables>): Promise<void> {
  for (const row of await openFaults(db)) {
    const { fault = row.what, answer = row.answer, cure = '' } = describeFault(row) ?? {};
    report.error(`${fault} since ${isoTime(row.since)}: ${answer}`, cure);
  }
}

async function checkSqlite(report: Report, db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: string; damage: string }>`select
    sqlite_version() as version, quick_check as damage from pragma_quick_check`.execute(db);
  const [{ version, damage } = { version: '', damage: 'unread' }] = rows;
  if (damage === 'ok') report.ok(`SQLite ${version}, undamaged`);
  else report.error(`the file is damaged: ${damage}`, 'Restore the newest backup.');
}

/** Durability was checked when the database was opened. */
async function checkPostgres(report: Report, db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: string; closed: boolean }>`select
    current_setting('server_version') as version,
    current_setting('transaction_read_only') = 'on' as closed`.execute(db);
  const [{ version, closed } = { version: '0', closed: false }] = rows;
  if (closed)
    return report.error(
      'DATABASE_URL leads to a replica, or a database that is read-only, and takes no orders',
      'Name the primary, or a proxy that finds it; or see default_transaction_read_only there.',
    );
  const text = `PostgreSQL ${version}, what it acknowledges is on its disk`;
  if (Number.parseInt(version, 10) >= MIN_POSTGRES) report.ok(text);
  else report.warning(text, `Upgrade to ${MIN_POSTGRES} or newer: this one is not mended.`);
  await checkReplicas(report, db);
}

/** Without the role pg_monitor the state is null, which counts as current. */
async function checkReplicas(report: Report, db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string; state: string | null; lag: number }>`select
    coalesce(nullif(application_name, ''), host(client_addr), 'replica') as name, state,
    coalesce(extract(epoch from replay_lag), 0)::float8 as lag from pg_stat_replication`.execute(
    db,
  );
  for (const { name, state, lag } of rows) {
    const text = `replica ${name}: ${state ?? 'state unknown'}, ${lag.toFixed(1)} s behind`;
    const isCurrent = lag <= MAX_LAG_SECONDS && (state === null || state === 'streaming');
    if (isCurrent) report.ok(text);
    else report.warning(text, 'See its log: a failover to it would wait, or lose what it lacks.');
  }
}
