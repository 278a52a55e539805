/** Whether the Safeguards addendum is accepted with a quote. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addQuotedAddendum(db: Db): Promise<void> {
  await sql`alter table "quotes" add column "addendum" integer not null default 0`.execute(db);
}
