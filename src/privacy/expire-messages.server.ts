/**
 * Messages, conversations and quotes that have rested for long enough are erased, at the start and each hour, some at a
 * time, so that no request waits. Several servers may do so at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { forgetDeliveriesAbout } from '../notifications/outbox-store.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import {
  allOf,
  chatRecord,
  deleteRecords,
  messageRecord,
  quoteRecord,
} from './person-records.server.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

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

/** How many it has erased. */
function expireSome(db: Kysely<Tables>, before: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const expired = await findExpired(trx, before);
    const all = allOf(expired);
    await forgetDeliveriesAbout(trx, all);
    await deleteRecords(trx, expired);
    return all.length;
  });
}

/** So many expired rows of each kind go at once. */
const EXPIRED_AT_ONCE = 200;

/**
 * Messages received before `time`, conversations in which nothing has been said since, and quotes that ended before,
 * paid or not: the order has all that was bought.
 */
async function findExpired(db: Kysely<Tables>, time: number) {
  const messages = await db
    .selectFrom('contactSubmissions')
    .select('id')
    .where('createdAt', '<', time)
    .orderBy('createdAt')
    .limit(EXPIRED_AT_ONCE)
    .execute();
  const chatMessages = await db
    .selectFrom('chatMessages')
    .select(['id', 'conversation'])
    .where('createdAt', '<', time)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chatMessages as later')
            .select('later.id')
            .whereRef('later.conversation', '=', 'chatMessages.conversation')
            .where('later.createdAt', '>=', time),
        ),
      ),
    )
    .orderBy('createdAt')
    .limit(EXPIRED_AT_ONCE)
    .execute();
  const quotes = await db
    .selectFrom('quotes')
    .select('id')
    .where('expiresAt', '<', time)
    .orderBy('expiresAt')
    .limit(EXPIRED_AT_ONCE)
    .execute();
  return {
    messages: messages.map(messageRecord),
    chatMessages: chatMessages.map(chatRecord),
    quotes: quotes.map(quoteRecord),
  };
}
