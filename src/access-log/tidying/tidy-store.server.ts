/** What leaves the tables of the access log, a piece at a time so that no request waits for it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/database.server.ts';
import { looseTransaction } from '../../platform/database/loose-transaction.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { linesOf, packLines, withoutAddresses } from '../log-lines.server.ts';
import { VISITORS_KEPT } from '../log-store.server.ts';
import { HOUR, MINUTE, startOf } from '../tally.server.ts';

/** Small enough to keep no request waiting for more than a few milliseconds. */
const PIECES_AT_ONCE = 20;
const VISITORS_AT_ONCE = 1000;

/** Gives how many were dealt with. */
export async function inPieces(piece: () => Promise<number>): Promise<number> {
  let all = 0;
  for (let some = await piece(); some > 0; some = await piece()) {
    all += some;
    await nextTurn();
  }
  return all;
}

/** What was written while the clock was ahead would stay, addresses and all, until that time has come. */
export async function bringBack(db: Kysely<Tables>, now: number): Promise<void> {
  const ahead = now + HOUR;
  await inPieces(async () => {
    const due = db
      .selectFrom('accessLog')
      .select('id')
      .where('lastAt', '>', ahead)
      .limit(PIECES_AT_ONCE);
    const done = await db
      .updateTable('accessLog')
      .set({ firstAt: now, lastAt: now })
      .where('id', 'in', due)
      .executeTakeFirst();
    return Number(done.numUpdatedRows);
  });
  await db
    .updateTable('accessVisitors')
    .set({ lastSeen: now })
    .where('lastSeen', '>', ahead)
    .execute();
  for (const [span, length] of [
    ['minute', MINUTE],
    ['hour', HOUR],
  ] as const)
    await db
      .updateTable('accessTallies')
      .set({ bucket: startOf(now, length) })
      .where('span', '=', span)
      .where('bucket', '>', ahead)
      .execute();
  await db.updateTable('accessDropped').set({ until: now }).where('until', '>', ahead).execute();
}

export async function forgetAddresses(database: Database, before: number): Promise<number> {
  const pieces = await database.db
    .selectFrom('accessLog')
    .select(['id', 'packed', 'lines'])
    .where('addresses', '=', 1)
    .where('lastAt', '<', before)
    .limit(PIECES_AT_ONCE)
    .execute();
  if (pieces.length === 0) return 0;
  const bare: (Pick<Row<'accessLog'>, 'id' | 'size'> & { packed: Uint8Array })[] = [];
  for (const { id, ...piece } of pieces) {
    const lines = Buffer.from(withoutAddresses(linesOf(piece)), 'latin1');
    bare.push({ id, size: lines.length, packed: packLines(lines) });
    await nextTurn();
  }
  await looseTransaction(database, async (trx) => {
    for (const { id, ...piece } of bare)
      await trx
        .updateTable('accessLog')
        .set({ ...piece, lines: '', addresses: 0 })
        .where('id', '=', id)
        .execute();
  });
  return pieces.length;
}

export async function deletePieces(db: Kysely<Tables>, before: number): Promise<number> {
  const due = db
    .selectFrom('accessLog')
    .select('id')
    .where('lastAt', '<', before)
    .limit(PIECES_AT_ONCE);
  const done = await db.deleteFrom('accessLog').where('id', 'in', due).executeTakeFirst();
  return Number(done.numDeletedRows);
}

export async function deleteVisitors(
  db: Kysely<Tables>,
  column: 'lastSeen' | 'visitor',
  operator: '<' | '>=',
  bound: number,
): Promise<void> {
  const due = db
    .selectFrom('accessVisitors')
    .select('visitor')
    .where(column, operator, bound)
    .limit(VISITORS_AT_ONCE);
  const deletion = db.deleteFrom('accessVisitors').where('visitor', 'in', due);
  await inPieces(async () => Number((await deletion.executeTakeFirst()).numDeletedRows));
}

/** Of many visitors only the smallest numbers are needed, and of agents anybody can make up any number. */
export async function boundVisitors(db: Kysely<Tables>): Promise<void> {
  const smallest = db.selectFrom('accessVisitors').select('visitor').orderBy('visitor');
  const tooMany = smallest.limit(1).offset(2 * VISITORS_KEPT);
  if (!(await tooMany.executeTakeFirst())) return;
  const first = await smallest.limit(1).offset(VISITORS_KEPT).executeTakeFirstOrThrow();
  await deleteVisitors(db, 'visitor', '>=', first.visitor);
}

export async function deleteTallies(
  db: Kysely<Tables>,
  span: 'minute' | 'hour',
  before: number,
): Promise<void> {
  await db
    .deleteFrom('accessTallies')
    .where('span', '=', span)
    .where('bucket', '<', before)
    .execute();
}
