/** Quotes that are paid by invoice, and what was accepted with an order. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

const COLUMNS = {
  orders: [
    '"dueDays" integer',
    '"invoiceState" text',
    '"poNumber" text',
    '"acceptedName" text',
    '"acceptedTitle" text',
    '"acceptedLines" text',
    '"termsDate" text',
    '"termsHash" text',
  ],
  orderInvoices: [
    '"dueAt" bigint',
    '"overdue" integer default 0 not null',
    '"attempt" text',
    '"url" text',
    '"reference" text',
  ],
  quotes: ['"dueDays" integer'],
};

export async function addInvoices(db: Db): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS))
    for (const column of columns)
      await sql.raw(`alter table "${table}" add column ${column}`).execute(db);
  await sql`create index "orderInvoicesDue" on "orderInvoices" ("dueAt")
    where "paid" = 0 and "waived" = 0 and "overdue" = 0`.execute(db);
  await sql`create table "termsVersions" (
    "hash" text primary key,
    "updated" text not null,
    "text" text not null
  )`.execute(db);
}
