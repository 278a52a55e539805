/** Quotes that are about to end, and how often their customers have been reminded. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.server.ts';
import { allQuotes, type Quote } from '../quote-store.server.ts';

type Db = Kysely<Tables>;

/** Open ones that end before `until` and have been reminded of fewer than `most` times, the first to end first. */
export function endingQuotes(
  db: Db,
  { now, until, most, limit }: { now: number; until: number; most: number; limit: number },
): Promise<Quote[]> {
  return allQuotes(db)
    .where('expiresAt', '>', now)
    .where('expiresAt', '<=', until)
    .where('reminded', '<', most)
    .where('remindersStopped', '=', 0)
    .where('withdrawnAt', 'is', null)
    .orderBy('expiresAt')
    .limit(limit)
    .execute();
}

/** Keeps that a reminder is sent; false when somebody else has done so. */
export async function countReminder(
  trx: Db,
  { id, reminded }: Pick<Quote, 'id' | 'reminded'>,
  due: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('quotes')
    .set({ reminded: due })
    .where('id', '=', id)
    .where('reminded', '=', reminded)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
