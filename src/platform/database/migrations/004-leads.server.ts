/** Where customers came from, and the fees of payments. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addLeads(db: Db): Promise<void> {
  await sql`create table "leads" (
    "kind" text not null,
    "subjectId" integer not null,
    "at" bigint not null,
    "source" text,
    "medium" text,
    "campaign" text,
    "host" text,
    "page" text,
    constraint "leadsKey" primary key ("kind", "subjectId")
  )`.execute(db);
  await sql`create index "leadsByTime" on "leads" ("at")`.execute(db);
  await sql`alter table "orderInvoices" add column "feeCents" integer`.execute(db);
  await sql`alter table "orderInvoices" add column "chargeId" text`.execute(db);
  await sql`create index "orderInvoicesByTime" on "orderInvoices" ("createdAt")`.execute(db);
}
