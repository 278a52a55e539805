/** Deliveries leave in the order in which they were added; 1.0 also looked at who caused them. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function indexOutbox(db: Db): Promise<void> {
  await sql`create index "outboxByChannel" on "outbox" ("state", "channel", "id")`.execute(db);
}
