/** Why a notice was withdrawn, and when the payment provider had its prices. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addNoticeFacts(db: Db): Promise<void> {
  await sql`alter table "priceChanges" add column "reason" text`.execute(db);
  await sql`alter table "priceChanges" add column "setUpAt" bigint`.execute(db);
  // The lock on an order keeps it at one; a notice that 1.0 is taking back is none.
  await sql`drop index "priceChangesAnnounced"`.execute(db);
}
