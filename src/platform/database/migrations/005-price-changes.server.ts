/** Notices of new prices and terms. */
import { sql } from 'kysely';
import type { Db, Engine } from '../tables.server.ts';

export async function createPriceChanges(db: Db, engine: Engine): Promise<void> {
  const id =
    engine === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'integer generated always as identity primary key';
  const statements = [
    `create table "priceChanges" (
      "id" ${id},
      "orderId" integer not null references "orders" ("id") on delete cascade,
      "kind" text not null,
      "state" text not null,
      "fromLines" text not null,
      "toLines" text not null,
      "effectiveAt" bigint not null,
      "setUpAt" bigint,
      "at" bigint not null,
      "by" text not null
    )`,
    `create index "priceChangesByOrder" on "priceChanges" ("orderId", "id")`,
    `create index "priceChangesByTime" on "priceChanges" ("effectiveAt")`,
    `create unique index "priceChangesAnnounced" on "priceChanges" ("orderId")
      where "kind" = 'price' and "state" = 'announced'`,
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
