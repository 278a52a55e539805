/** Failed sign-ins, counted for all instances in hashed buckets: no name or address is stored. */

import { createHmac } from 'node:crypto';
import { SIGN_IN_WINDOW_MS } from '../limits.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** All failures in one bucket within 15 minutes of the first. */
    signInFailures: {
      bucket: number;
      since: number;
      failures: number;
    };
  }
}

const BUCKET_BITS = 18;

/** Sorted: two transactions that lock buckets in different orders would deadlock. */
export function bucketsFor(key: string, counted: readonly string[]): number[] {
  const bucket = (who: string) =>
    createHmac('sha256', key).update(who).digest().readUInt32BE() >>> (32 - BUCKET_BITS);
  return [...new Set(counted.map(bucket))].sort((one, other) => one - other);
}

/** Counts an attempt as failed before its check. Returns the wait if a bucket is full. */
export async function countAttempt(
  db: Db,
  buckets: readonly number[],
  max: number,
): Promise<number> {
  const now = Date.now();
  // One statement, so that concurrent instances cannot both read the old count.
  const counted = await db
    .insertInto('signInFailures')
    .values(buckets.map((bucket) => ({ bucket, since: now, failures: 1 })))
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet((eb) => {
        const isOver = eb('signInFailures.since', '<=', now - SIGN_IN_WINDOW_MS);
        const whenExpired = eb.case().when(isOver);
        const failures = eb.ref('signInFailures.failures');
        return {
          since: whenExpired.then(now).else(eb.ref('signInFailures.since')).end(),
          failures: whenExpired
            .then(1)
            .else(eb(failures, '+', 1))
            .end(),
        };
      }),
    )
    .returning(['since', 'failures'])
    .execute();
  const full = counted.filter(({ failures }) => failures > max);
  if (full.length === 0) return 0;
  await uncountAttempt(db, buckets);
  const waits = full.map(({ since }) => since + SIGN_IN_WINDOW_MS - now);
  return Math.ceil(Math.max(1_000, ...waits) / 1000);
}

export async function uncountAttempt(db: Db, buckets: readonly number[]): Promise<void> {
  for (const bucket of buckets) {
    await db
      .updateTable('signInFailures')
      .set(({ eb }) => ({ failures: eb('failures', '-', 1) }))
      .where('bucket', '=', bucket)
      .where('failures', '>', 0)
      .execute();
  }
}

/** At the start and each hour. */
export function expireFailures({ db }: Site): Interval {
  return new Interval('failure-expiry-failed', HOUR_MS, () => deleteOldFailures(db));
}

export async function deleteOldFailures(db: Db): Promise<void> {
  await db
    .deleteFrom('signInFailures')
    .where('since', '<=', Date.now() - SIGN_IN_WINDOW_MS)
    .execute();
}
