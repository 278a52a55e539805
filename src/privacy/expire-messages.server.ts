/**
 * Erases messages, conversations and quotes once they are old enough, at the start and each hour. A few go at a time, so
 * that no request waits; several servers may do it at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { eraseRows } from './person-stores.server.ts';

/** At most so many rows of each table are erased in one transaction. */
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

/**
 * Erases some of what is older than `time`, and tells how many rows. A conversation goes once its newest message is older;
 * a quote goes even if it was paid, since its order has everything.
 */
async function expireSome(db: Kysely<Tables>, time: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const messages = await trx
      .selectFrom('contactSubmissions')
      .select('id')
      .where('createdAt', '<', time)
      .orderBy('createdAt')
      .limit(AT_ONCE)
      .execute();
    const chats = await trx
      .selectFrom('chatMessages as chat')
      .select('id')
      .where('createdAt', '<', time)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('chatMessages as later')
              .select('later.id')
              .whereRef('later.conversation', '=', 'chat.conversation')
              .where('later.createdAt', '>=', time),
          ),
        ),
      )
      .orderBy('createdAt')
      .limit(AT_ONCE)
      .execute();
    const quotes = await trx
      .selectFrom('quotes')
      .select('id')
      .where('expiresAt', '<', time)
      .orderBy('expiresAt')
      .limit(AT_ONCE)
      .execute();
    await eraseRows(trx, 'contactSubmissions', messages);
    await eraseRows(trx, 'chatMessages', chats);
    await eraseRows(trx, 'quotes', quotes);
    return messages.length + chats.length + quotes.length;
  });
}
