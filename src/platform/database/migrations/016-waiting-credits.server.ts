/** What changes of a plan have left for the next bill, with which an end may do away. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addWaitingCredits(db: Db): Promise<void> {
  await sql`alter table "subscriptions" add column "waiting" text not null default '[]'`.execute(
    db,
  );
}
