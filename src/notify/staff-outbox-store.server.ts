/** What staff see of the outbox, and do with what was not delivered. */
import { type Kysely, sql } from 'kysely';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import type { DeliveryState } from './delivery.ts';
import { isOver } from './is-over.server.ts';

type Db = Kysely<Tables>;

const WAITING = 'waiting' satisfies DeliveryState;
const SET_ASIDE = 'set aside' satisfies DeliveryState;

/**
 * What staff should look at: 'set aside' comes before 'waiting', of these the newest before the older ones, and what
 * staff themselves have missed before emails to customers, of which anybody can cause any number.
 */
export async function listOpen(db: Db, limit: number): Promise<Row<'outbox'>[]> {
  return db
    .selectFrom('outbox')
    .selectAll()
    .where('state', 'in', [SET_ASIDE, WAITING])
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
    .where('state', 'in', [SET_ASIDE, WAITING])
    .groupBy('state')
    .execute();
  const count = (state: DeliveryState) => rows.find((row) => row.state === state)?.count ?? 0;
  return { waiting: count(WAITING), setAside: count(SET_ASIDE) };
}

export async function findDelivery(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Undefined when there is none that is set aside. */
export async function dismiss(db: Db, id: number): Promise<Row<'outbox'> | undefined> {
  return db
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('state', '=', SET_ASIDE)
    .returningAll()
    .executeTakeFirst();
}

/** Makes it due now, with all its tries again; false when it is accepted or being delivered at this moment. */
export async function sendAgain(db: Db, id: number): Promise<boolean> {
  const now = Date.now();
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: WAITING, tries: 0, nextTryAt: now, claimedBy: null, settledAt: null })
    .where('id', '=', id)
    .where('state', 'in', [WAITING, SET_ASIDE])
    .where((where) => where.or([where('claimedBy', 'is', null), isOver('nextTryAt', now)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
