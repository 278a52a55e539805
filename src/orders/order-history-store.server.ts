/** The history of an order: its statuses with their causes, and notes for staff. */
import type { Generated } from 'kysely';
import type { Db } from '../platform/database/tables.server.ts';
import { isoTime } from '../platform/time.ts';
import type { OrderStatus } from './order.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** A status change with its cause or, without a status, a note for staff. */
    orderHistory: {
      id: Generated<number>;
      orderId: number;
      at: number;
      status: OrderStatus | null;
      text: string;
      /** Unique per order, so that a repeated event is noted only once. */
      onceKey: Generated<string | null>;
    };
  }
}

export async function addStatus(
  trx: Db,
  orderId: number,
  status: OrderStatus,
  cause: string,
): Promise<void> {
  const row = { orderId, at: Date.now(), status, text: cause };
  await trx.insertInto('orderHistory').values(row).execute();
}

export async function addNote(trx: Db, orderId: number, ...notes: string[]): Promise<void> {
  if (notes.length === 0) return;
  const rows = notes.map((text) => ({ orderId, at: Date.now(), status: null, text }));
  await trx.insertInto('orderHistory').values(rows).execute();
}

/** Adds a note unless the order has one with the same key; false when it has. */
export async function noteOnce(
  db: Db,
  orderId: number,
  text: string,
  onceKey = text,
): Promise<boolean> {
  const noted = await db
    .insertInto('orderHistory')
    .values({ orderId, at: Date.now(), status: null, text, onceKey })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Marks the notes that staff are notified of. */
const ALERT = 'alert ';

/** Adds notes that staff are notified of, each once; false when all were there already. */
export async function addAlerts(
  trx: Db,
  orderId: number,
  alerts: readonly string[],
): Promise<boolean> {
  let isNew = false;
  for (const text of alerts) isNew = (await noteOnce(trx, orderId, text, ALERT + text)) || isNew;
  return isNew;
}

/** The newest note that staff are notified of. */
export async function findAlert(db: Db, orderId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('orderHistory')
    .select('text')
    .where('orderId', '=', orderId)
    .where('onceKey', 'like', `${ALERT}%`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.text;
}

export async function readHistory(db: Db, orderId: number) {
  const stored = await db
    .selectFrom('orderHistory')
    .selectAll()
    .where('orderId', '=', orderId)
    .orderBy('id')
    .execute();
  const rows = stored.map(({ at, ...row }) => ({ ...row, at: isoTime(at) }));
  return {
    history: rows.flatMap(({ status, at, text }) => (status ? [{ status, at, cause: text }] : [])),
    notes: rows.flatMap(({ status, at, text }) => (status ? [] : [{ at, note: text }])),
  };
}

/** When the order got its current status. */
export async function statusSince(db: Db, orderId: number): Promise<number> {
  const { at } = await db
    .selectFrom('orderHistory')
    .select(({ fn }) => fn.max<number>('at').as('at'))
    .where('orderId', '=', orderId)
    .where('status', 'is not', null)
    .executeTakeFirstOrThrow();
  return at;
}
