/** The time of the test gateway, which staff may move ahead: the same for all instances. */
import type { Kysely } from 'kysely';
import { selectForUpdate } from '../../platform/database/select-for-update.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';

type Db = Kysely<Tables>;

/** Milliseconds since 1970, in whole seconds. */
export async function testNow(db: Db): Promise<number> {
  const { aheadMs } = await db
    .selectFrom('testClock')
    .select('aheadMs')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow();
  return wholeSeconds(Date.now() + aheadMs);
}

/** The same, and nobody else bills or moves the clock until the transaction ends. */
export async function lockClock(trx: Db): Promise<number> {
  const { aheadMs } = await selectForUpdate(
    trx.selectFrom('testClock').select('aheadMs').where('id', '=', 1),
    trx,
  ).executeTakeFirstOrThrow();
  return wholeSeconds(Date.now() + aheadMs);
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

export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
