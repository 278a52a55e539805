/** What visitors feel: counts of rounded values by day and page. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addWebVitals(db: Db): Promise<void> {
  await sql`create table "webVitals" (
    "day" bigint not null,
    "page" text not null,
    "metric" text not null,
    "value" integer not null,
    "amount" integer not null,
    primary key ("day", "page", "metric", "value")
  )`.execute(db);
}
