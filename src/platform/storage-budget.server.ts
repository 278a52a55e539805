/** Limits the bytes that strangers store in a day, by kind and network (docs/decisions/083). */
import { type Generated, sql } from 'kysely';
import { NETWORK_SHARE, STORED_A_DAY } from '../limits.ts';
import type { Db } from './database/tables.server.ts';
import { RolledBack, refuse } from './http/answer.server.ts';
import { networkOf } from './http/client-ip.server.ts';
import { HOUR_MS } from './time.ts';

export type StoredKind = keyof typeof STORED_A_DAY;

declare module './database/tables.server.ts' {
  interface Tables {
    /** Bytes that strangers stored, by the hour. */
    storedBytes: {
      id: Generated<number>;
      kind: StoredKind;
      /** A result of `networkOf`; '' for all together. */
      network: string;
      /** Hours since 1970. */
      hour: number;
      bytes: number;
      /** Staff were notified in this hour that half of the kind is used up. */
      warned: Generated<0 | 1>;
    };
  }
}

export interface VisitorStorage {
  /** The refusal when the kind, or the network's share, is used up. Ask before any change. */
  refusal(kind: StoredKind): Promise<Response | undefined>;
  /** Counts what the transaction stores, or rolls it back without room. Call it last. */
  count(trx: Db, kind: StoredKind, stored: object): Promise<void>;
}

/** What one thing takes besides its own text: rows, indexes, later deliveries and history. */
const ROWS_BYTES = 4_000;
/** Hours that count besides the current one. */
const WINDOW_HOURS = 24;
const ALL = '';

interface Budget {
  db: Db;
  phone: string;
  /** Notifies staff that half of a kind is used up. `id`: of a row in `storedBytes`. */
  warn(trx: Db, id: number): Promise<void>;
}

export function storageOf(address: string, { db, phone, warn }: Budget): VisitorStorage {
  const network = networkOf(address);
  /** `own`: bytes that are counted already. */
  async function refusalIn(trx: Db, kind: StoredKind, own = 0): Promise<Response | undefined> {
    const left = STORED_A_DAY[kind] - (await usedBytes(trx, kind, ALL)) + own;
    const used = (await usedBytes(trx, kind, network)) - own;
    if (left > 0 && used < left / NETWORK_SHARE) return undefined;
    const full = `We can’t take more requests right now. Please call ${phone}.`;
    return refuse(503, full, { retryAfter: 60 * 60 });
  }
  return {
    refusal: (kind) => refusalIn(db, kind),
    async count(trx, kind, stored) {
      // The text may also be in indexes.
      const bytes = ROWS_BYTES + 2 * Buffer.byteLength(JSON.stringify(stored));
      await add(trx, kind, network, bytes);
      const id = await add(trx, kind, ALL, bytes);
      // Without a transaction it has happened.
      const refusal = trx.isTransaction ? await refusalIn(trx, kind, bytes) : undefined;
      if (refusal) throw new RolledBack(refusal);
      if ((await usedBytes(trx, kind, ALL)) < STORED_A_DAY[kind] / 2) return;
      const warned = await rowsInWindow(trx, kind, ALL)
        .select('id')
        .where('warned', '=', 1)
        .execute();
      if (warned.length > 0) return;
      await trx.updateTable('storedBytes').set({ warned: 1 }).where('id', '=', id).execute();
      await warn(trx, id);
    },
  };
}

async function add(trx: Db, kind: StoredKind, network: string, bytes: number): Promise<number> {
  const { id } = await trx
    .insertInto('storedBytes')
    .values({ kind, network, hour: thisHour(), bytes })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'network', 'hour'])
        .doUpdateSet(({ eb }) => ({ bytes: eb('storedBytes.bytes', '+', bytes) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function usedBytes(db: Db, kind: StoredKind, network: string): Promise<number> {
  const { bytes } = await rowsInWindow(db, kind, network)
    .select(sql<number>`cast(coalesce(sum("bytes"), 0) as bigint)`.as('bytes'))
    .executeTakeFirstOrThrow();
  return bytes;
}

/** Hours in the future, from a clock that was wrong, do not count. */
function rowsInWindow(db: Db, kind: StoredKind, network: string) {
  const hour = thisHour();
  return db
    .selectFrom('storedBytes')
    .where('kind', '=', kind)
    .where('network', '=', network)
    .where('hour', '>=', hour - WINDOW_HOURS)
    .where('hour', '<=', hour);
}

function thisHour(): number {
  return Math.floor(Date.now() / HOUR_MS);
}

export async function deleteOldStorageCounts(db: Db): Promise<void> {
  const hour = thisHour();
  await db
    .deleteFrom('storedBytes')
    .where(({ or, eb }) => or([eb('hour', '<', hour - WINDOW_HOURS), eb('hour', '>', hour)]))
    .execute();
}
