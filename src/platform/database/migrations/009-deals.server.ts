/** What is charged once, and the day on which a plan starts. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addDeals(db: Db): Promise<void> {
  for (const [table, column] of [
    ['quotes', '"once" text default \'[]\' not null'],
    ['quotes', '"startsOn" text'],
    ['orders', '"boughtOnce" text default \'[]\' not null'],
    ['orders', '"startsOn" text'],
    ['subscriptions', '"dueCents" integer'],
    ['invoices', '"once" text default \'[]\' not null'],
  ])
    await sql`alter table ${sql.raw(`"${table}"`)} add column ${sql.raw(column ?? '')}`.execute(db);
}
