/** The events that a payment provider has reported, so that each is processed once. */
import type { Db } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** `settled` stays 0 until the order has been updated from the provider's API. */
    providerEvents: {
      id: string;
      type: string;
      settled: Flag;
      receivedAt: number;
    };
  }
}

/** Stores an event unless it is stored already. Returns whether it is still to be processed. */
export async function storeEvent(db: Db, id: string, type: string): Promise<boolean> {
  await db
    .insertInto('providerEvents')
    .values({ id, type, settled: 0, receivedAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return !(await findSettled(db, [id])).has(id);
}

export async function settleEvent(db: Db, id: string): Promise<void> {
  await db.updateTable('providerEvents').set({ settled: 1 }).where('id', '=', id).execute();
}

export async function findSettled(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('providerEvents')
    .select('id')
    .where('settled', '=', 1)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function deleteEventsBefore(db: Db, time: number): Promise<void> {
  await db.deleteFrom('providerEvents').where('receivedAt', '<', time).execute();
}
