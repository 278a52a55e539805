/** Counts what waits on PostgreSQL, for tests of two actions at the same moment. */
import { sql } from 'kysely';
import type { Db } from '../../../src/platform/database/tables.server.ts';

/** How many statements wait for a row that another transaction has locked. */
export async function waitingForLocks(db: Db): Promise<number> {
  const waiting = sql<{ count: number }>`select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const { rows } = await waiting.execute(db);
  return Number(rows[0]?.count);
}
