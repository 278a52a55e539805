/**
 * Messages, conversations and quotes that have rested for long enough are erased, at the start and each hour, some at a
 * time, so that no request waits. Several servers may do so at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { eraseRows, findIds } from './person-stores.server.ts';

/** So many of a kind go in one transaction. */
const AT_ONCE = 200;

/** `days` 0 keeps everything. */
export function keepMessagesFor(days: number, db: Kysely<Tables>): Interval {
  return new Interval('messages-not-expired', HOUR_MS, (isStopped) =>
    expireMessages(days, db, isStopped),
  );
}

export async function expireMessages(
  days: number,
  db: Kysely<Tables>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  if (days === 0) return;
  const before = Date.now() - days * DAY_MS;
  while (!isStopped() && (await expireSome(db, before)) > 0) await nextTurn();
}

/** Erases conversations once nothing has been said in them since `time`, and also quotes that were paid: the order has it all. */
function expireSome(db: Kysely<Tables>, time: number): Promise<number> {
  const oldest = sql`"createdAt" < ${time} order by "createdAt" limit ${AT_ONCE}`;
  const isLast = sql`not exists (select 1 from "chatMessages" as "later" where "later"."conversation" = "chatMessages"."conversation" and "later"."createdAt" >= ${time})`;
  const expired = [
    ['messages', sql`where ${oldest}`],
    ['chatMessages', sql`where ${isLast} and ${oldest}`],
    ['quotes', sql`where "expiresAt" < ${time} order by "expiresAt" limit ${AT_ONCE}`],
  ] as const;
  return db.transaction().execute(async (trx) => {
    let count = 0;
    for (const [name, which] of expired) {
      const ids = await findIds(trx, name, which);
      await eraseRows(trx, name, ids);
      count += ids.length;
    }
    return count;
  });
}
