/** What the company owes a customer at the payment provider, which the next bill would use. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addCredits(db: Db): Promise<void> {
  await sql`alter table "subscriptions" add column "creditCents" integer not null default 0`.execute(
    db,
  );
}
