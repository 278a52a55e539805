/**
 * Failed sign-ins, counted in the database so that all instances count together. Who failed is not stored: address,
 * name or browser lead to one of a fixed number of buckets by a secret key. So the table cannot grow, however many names are tried.
 */
import { createHmac } from 'node:crypto';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';

type Db = Kysely<Tables>;

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
 * The seconds to wait when one of the buckets holds `most` failures; else 0, with the attempt counted as a failure:
 * before its password is checked, so that attempts sent side by side count too. What has to wait counts nothing, or
 * strangers could prolong it.
 */
export async function countAttempt(
  db: Db,
  buckets: readonly number[],
  most: number,
): Promise<number> {
  const now = Date.now();
  const wait = await waitFor(db, buckets, most, now);
  if (wait > 0) return wait;
  for (const [index, bucket] of buckets.entries()) {
    if (await countIn(db, bucket, most, now)) continue;
    await takeBack(db, buckets.slice(0, index));
    return Math.max(1, await waitFor(db, buckets, most, now));
  }
  return 0;
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

async function waitFor(
  db: Db,
  buckets: readonly number[],
  most: number,
  now: number,
): Promise<number> {
  const full = await db
    .selectFrom('signInFailures')
    .select('since')
    .where('bucket', 'in', buckets)
    .where('failures', '>=', most)
    .where((eb) => eb.not(isOver(eb, now)))
    .execute();
  const waits = full.map(({ since }) => Math.min(WINDOW_MS, since + WINDOW_MS - now));
  return Math.ceil(Math.max(0, ...waits) / 1000);
}

/** One statement, so that each of several instances sees what the others counted; false when the bucket is full. */
async function countIn(db: Db, bucket: number, most: number, now: number): Promise<boolean> {
  const counted = await db
    .insertInto('signInFailures')
    .values({ bucket, since: now, failures: 1 })
    .onConflict((conflict) =>
      conflict
        .column('bucket')
        .doUpdateSet((eb) => {
          const whenOver = eb.case().when(isOver(eb, now));
          return {
            since: whenOver.then(now).else(eb.ref('signInFailures.since')).end(),
            failures: whenOver
              .then(1)
              .else(eb('signInFailures.failures', '+', 1))
              .end(),
          };
        })
        .where((eb) => eb.or([isOver(eb, now), eb('signInFailures.failures', '<', most)])),
    )
    .returning('bucket')
    .executeTakeFirst();
  return counted !== undefined;
}

/** One that begins ahead of its own length was begun before the clock was set back. */
function isOver(eb: ExpressionBuilder<Tables, 'signInFailures'>, now: number) {
  return eb.or([
    eb('signInFailures.since', '<=', now - WINDOW_MS),
    eb('signInFailures.since', '>', now + WINDOW_MS),
  ]);
}
