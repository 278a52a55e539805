/**
 * Erases messages, conversations and quotes after the configured number of days, at the start and every hour. Rows go in
 * small batches, so that no request waits; several servers may run it at once.
 */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { eraseRows } from './person-stores.server.ts';

/** Rows of each table per transaction. */
const BATCH_SIZE = 200;

/** With 0 days, everything is kept. */
export function keepMessagesFor(days: number, db: Db): Interval {
  return new Interval('messages-not-expired', HOUR_MS, (isStopped) =>
    expireMessages(days, db, isStopped),
  );
}

export async function expireMessages(
  days: number,
  db: Db,
  isStopped: () => boolean = () => false,
): Promise<void> {
  if (days === 0) return;
  const before = Date.now() - days * DAY_MS;
  while (!isStopped() && (await eraseBatch(db, before)) > 0) await setImmediate();
}

/** Returns how many rows were erased. A quote goes even if it was paid, since its order has everything. */
async function eraseBatch(db: Db, before: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const messages = await oldest(trx, 'contactSubmissions', 'createdAt', before).execute();
    // A conversation is kept until its newest message has expired.
    const chats = await oldest(trx, 'chatMessages', 'createdAt', before)
      .where(
        sql<boolean>`not exists (select 1 from "chatMessages" as later where later.conversation = "chatMessages".conversation and later."createdAt" >= ${before})`,
      )
      .execute();
    const quotes = await oldest(trx, 'quotes', 'expiresAt', before).execute();
    await eraseRows(trx, 'contactSubmissions', messages);
    await eraseRows(trx, 'chatMessages', chats);
    await eraseRows(trx, 'quotes', quotes);
    return messages.length + chats.length + quotes.length;
  });
}

function oldest(
  trx: Db,
  table: 'contactSubmissions' | 'chatMessages' | 'quotes',
  column: 'createdAt' | 'expiresAt',
  before: number,
) {
  const time = sql.ref<number>(column);
  return trx
    .selectFrom(table)
    .select('id')
    .where(time, '<', before)
    .orderBy(time)
    .limit(BATCH_SIZE);
}
