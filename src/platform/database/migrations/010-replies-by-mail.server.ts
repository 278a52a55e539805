/** Replies by mail: how far the mailbox has been read, and who else wrote to a thread. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addReplies(db: Db): Promise<void> {
  await sql`alter table "entries" add column "sender" text`.execute(db);
  await sql`create index "entriesBySender" on "entries" (upper("sender"))
    where "sender" is not null`.execute(db);
  await sql`create table "mailboxReading" (
    "mailbox" text primary key,
    "link" text not null,
    "newestAt" bigint not null
  )`.execute(db);
}
