/** Whether an order could be stored at this moment, found out by storing as much as an order takes. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.server.ts';

/** A load balancer that asks wants an answer. */
const PATIENCE_MS = 1_500;
/** The same answer is given again within this time: asking often must not become writing often. */
const STANDS_MS = 1_000;
/** In bytes: an order's rows and their places in the indexes, rounded up. Random, for PostgreSQL compresses. */
const PAYLOAD = randomBytes(48 * 1024).toString('base64');

/** Gives a function that tells, as often as it is asked. */
export function writeProbe(db: Kysely<Tables>): () => Promise<boolean> {
  let latest: { at: number; outcome: Promise<boolean> } | undefined;
  return () => {
    if (!latest || performance.now() - latest.at > STANDS_MS) {
      const attempt = { at: Number.POSITIVE_INFINITY, outcome: Promise.resolve(false) };
      attempt.outcome = probe(db)
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          attempt.at = performance.now();
        });
      latest = attempt;
    }
    return Promise.race([latest.outcome, setTimeout(PATIENCE_MS, false, { ref: false })]);
  };
}

/** The new row before the old ones go: it needs room of its own, as an order does. */
function probe(db: Kysely<Tables>): Promise<void> {
  return db.transaction().execute(async (trx) => {
    const id = randomUUID();
    await trx.insertInto('writeProbes').values({ id, payload: PAYLOAD }).execute();
    await trx.deleteFrom('writeProbes').where('id', '!=', id).execute();
  });
}
