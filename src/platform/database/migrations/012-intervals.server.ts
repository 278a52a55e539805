/** How often a plan is billed at the payment provider, where that is not each month. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addIntervals(db: Db): Promise<void> {
  await sql`alter table "subscriptions" add column "billedEvery" text`.execute(db);
}
