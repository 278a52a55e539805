/** How much of a charge was ever disputed, and what was lost of it has gone back. */
import { sql } from 'kysely';
import type { Db } from '../tables.server.ts';

export async function addDisputedParts(db: Db): Promise<void> {
  for (const column of ['disputedCents', 'lostCents'])
    await sql`alter table "charges" add column ${sql.ref(column)} integer not null default 0`.execute(
      db,
    );
  // 1.0 took each dispute for one of the whole charge. What a bank debit takes back is owed again.
  await sql`update "charges" set "disputedCents" = "amountCents" where "dispute" is not null`.execute(
    db,
  );
  await sql`update "charges" set "refundedCents" = "amountCents", "lostCents" = "amountCents" where "dispute" = 'lost' and "cardLast4" is not null`.execute(
    db,
  );
}
