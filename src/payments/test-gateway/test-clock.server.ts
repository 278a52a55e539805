/** The time of the test gateway: the same for all instances, and ahead of the clock where staff of a demo have moved it. */
import type { Kysely } from 'kysely';
import type { Notify } from '../../notifications/outbox.server.ts';
import { selectForUpdate } from '../../platform/database/queries.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    testClock: TestClockTable;
  }
}

/** One row. */
interface TestClockTable {
  id: number;
  aheadMs: number;
}

type Db = Kysely<Tables>;

/** Milliseconds since 1970, in whole seconds. */
export async function testNow(db: Db): Promise<number> {
  return wholeSeconds(Date.now() + (await readAheadMs(db)));
}

async function readAheadMs(db: Db): Promise<number> {
  const clock = db.selectFrom('testClock').select('aheadMs').where('id', '=', 1);
  return (await clock.executeTakeFirstOrThrow()).aheadMs;
}

/** Locks the clock until the transaction ends: no other instance bills or moves it. */
export async function lockClock(trx: Db): Promise<void> {
  const row = trx.selectFrom('testClock').select('aheadMs').where('id', '=', 1);
  await selectForUpdate(row, trx).execute();
}

/** Never back; the clock must be locked. */
export async function setClock(trx: Db, to: number): Promise<void> {
  const aheadMs = to - wholeSeconds(Date.now());
  await trx
    .updateTable('testClock')
    .set({ aheadMs })
    .where('id', '=', 1)
    .where('aheadMs', '<', aheadMs)
    .execute();
}

function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

/** Notifies of what time brings by itself, and no one while the clock is ahead: those months have not really passed. */
export function notifyUnlessAhead(notify: Notify): Notify {
  return async (trx, ...notice) => {
    if ((await readAheadMs(trx)) === 0) await notify(trx, ...notice);
  };
}
