/** An order's corrected facts, its address for papers, why it ends, and the accepted addendum. */
import { sql } from 'kysely';
import type { Db, Engine } from '../tables.server.ts';

export async function addOrderDetails(db: Db, engine: Engine): Promise<void> {
  for (const [table, column] of [
    ['orders', 'billsTo'],
    ['orders', 'endReason'],
    ['orders', 'endWords'],
    ['orders', 'addendumName'],
    ['orders', 'addendumTitle'],
    ['orders', 'addendumDate'],
    ['orders', 'addendumHash'],
    ['invoices', 'billedTo'],
    ['subscriptions', 'seenCustomer'],
  ] as const)
    await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} text`.execute(db);
  await sql`alter table "orders" add column "addendumAt" bigint`.execute(db);
  const id =
    engine === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'integer generated always as identity primary key';
  await sql
    .raw(
      `create table "emailChanges" (
        "id" ${id},
        "orderId" integer not null references "orders" ("id") on delete cascade,
        "email" text not null,
        "formerEmail" text,
        "keyHash" text,
        "createdAt" bigint not null
      )`,
    )
    .execute(db);
  await sql`create index "emailChangesByOrder" on "emailChanges" ("orderId")`.execute(db);
  for (const [table, column] of [
    ['orders', 'billsTo'],
    ['emailChanges', 'email'],
    ['emailChanges', 'formerEmail'],
  ] as const)
    await sql`create index ${sql.ref(`${table}By_${column}`)} on ${sql.table(table)} (upper(${sql.ref(column)}))`.execute(
      db,
    );
}
