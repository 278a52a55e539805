/** Which events are a colleague's own acts, for the list of activity. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addStaffActs(db: Db): Promise<void> {
  await sql`alter table "orderEvents" add column "accountId" integer`.execute(db);
  await sql`create index "orderEventsOfStaff" on "orderEvents" ("at", "id") where "accountId" is not null`.execute(
    db,
  );
}
