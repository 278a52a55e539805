/** What staff see of the outbox, and do with what was not delivered. */
import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import type { DeliveryState } from './delivery.ts';
import { isOver } from './outbox-store.server.ts';

type Db = Kysely<Tables>;

/**
 * What staff should look at: 'set aside' comes before 'waiting', of these the newest before the older ones, and what
 * staff themselves have missed before emails to customers, of which anybody can cause any number.
 */
export async function listOpen(db: Db, limit: number): Promise<Row<'outbox'>[]> {
  return db
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', ['set aside', 'waiting'])
    .orderBy('state')
    .orderBy(sql`case when channel = 'mail-customer' then 1 else 0 end`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** What has been accepted is not counted: of that there is a month. */
export async function countOpen(db: Db): Promise<{ waiting: number; setAside: number }> {
  const rows = await db
    .selectFrom('outbox')
    .select(['state', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', 'in', ['set aside', 'waiting'])
    .groupBy('state')
    .execute();
  const count = (state: DeliveryState) => rows.find((row) => row.state === state)?.count ?? 0;
  return { waiting: count('waiting'), setAside: count('set aside') };
}

export async function findDelivery(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Undefined when there is none that is set aside. */
export async function dismiss(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', 'set aside')
    .returningAll()
    .executeTakeFirst();
}

/** Makes it due now, with all its tries again; false when it is accepted or being delivered at this moment. */
export async function sendAgain(db: Db, id: number): Promise<boolean> {
  const now = Date.now();
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'waiting', tries: 0, nextTryAt: now, claimedBy: null, settledAt: null })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'set aside'])
    .where((where) => where.or([where('claimedBy', 'is', null), isOver('nextTryAt', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
