/** What the site depends on and does not work. */
import { sql } from 'kysely';
import type { Db, Engine } from '../tables.server.ts';

export async function addFaults(db: Db, engine: Engine): Promise<void> {
  const id =
    engine === 'sqlite'
      ? 'integer primary key autoincrement'
      : 'integer generated always as identity primary key';
  await sql
    .raw(
      `create table "faults" (
        "id" ${id},
        "what" text not null unique,
        "since" bigint not null,
        "answer" text not null,
        "overAt" bigint
      )`,
    )
    .execute(db);
}
