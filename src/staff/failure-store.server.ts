/**
 * Failed sign-ins, counted in the database so that all instances count together. Who failed is not stored: address,
 * name or browser lead to one of a fixed number of buckets by a secret key. So the table cannot grow, however many names are tried.
 */
import { createHmac } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import type { Db, Tables } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    signInFailures: SignInFailureTable;
  }
}

/** Failed sign-ins of those who share a bucket, since the first of the last 15 minutes. */
interface SignInFailureTable {
  bucket: number;
  since: number;
  failures: number;
}

const WINDOW_MS = 15 * 60 * 1000;
const BUCKET_BITS = 18;

/** The buckets in which an attempt counts, always in one order, so that two transactions never wait for each other. */
export function bucketsOf(key: string, counted: readonly string[]): number[] {
  const bucket = (who: string) =>
    createHmac('sha256', key).update(who).digest().readUInt32BE() >>> (32 - BUCKET_BITS);
  return [...new Set(counted.map(bucket))].sort((one, other) => one - other);
}

/**
 * Counts the attempt as a failure, before its password is checked, so that attempts sent side by side count too. Gives the
 * seconds to wait when one of the buckets held `most` failures already; then nothing is counted, or strangers could use
 * up the attempts of a name by an address that has none left.
 */
export async function countAttempt(
  db: Db,
  buckets: readonly number[],
  most: number,
): Promise<number> {
  const now = Date.now();
  // One statement, so that each of several instances sees what the others counted.
  const counted = await db
    .insertInto('signInFailures')
    .values(buckets.map((bucket) => ({ bucket, since: now, failures: 1 })))
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet((eb) => {
        const whenOver = eb.case().when(isOver(eb, now));
        const failures = eb.ref('signInFailures.failures');
        return {
          since: whenOver.then(now).else(eb.ref('signInFailures.since')).end(),
          failures: whenOver
            .then(1)
            .else(eb(failures, '+', 1))
            .end(),
        };
      }),
    )
    .returning(['since', 'failures'])
    .execute();
  const full = counted.filter(({ failures }) => failures > most);
  if (full.length === 0) return 0;
  await takeBack(db, buckets);
  const waits = full.map(({ since }) => Math.min(WINDOW_MS, since + WINDOW_MS - now));
  return Math.ceil(Math.max(1_000, ...waits) / 1000);
}

/** Of an attempt that turned out to be right. */
export async function takeBack(db: Db, buckets: readonly number[]): Promise<void> {
  for (const bucket of buckets) {
    await db
      .updateTable('signInFailures')
      .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
      .where('bucket', '=', bucket)
      .where('failures', '>', 0)
      .execute();
  }
}

export async function forgetOldFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('signInFailures')
    .where((eb) => isOver(eb, Date.now()))
    .execute();
}

/** One that begins ahead of its own length was begun before the clock was set back. */
function isOver(eb: ExpressionBuilder<Tables, 'signInFailures'>, now: number) {
  return eb.or([
    eb('signInFailures.since', '<=', now - WINDOW_MS),
    eb('signInFailures.since', '>', now + WINDOW_MS),
  ]);
}
