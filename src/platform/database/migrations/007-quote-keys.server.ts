/** A visitor's request for a quote that is repeated under its key gets the same quote. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addQuoteKeys(db: Db): Promise<void> {
  await sql`create table "quoteKeys" (
    "key" text primary key,
    "requestHash" text not null,
    "quoteId" integer not null references "quotes" ("id") on delete cascade,
    "emailed" integer not null
  )`.execute(db);
  await sql`create index "quoteKeysByQuote" on "quoteKeys" ("quoteId")`.execute(db);
}
