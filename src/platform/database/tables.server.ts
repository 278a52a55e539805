/**
 * The database's tables, the same on SQLite and PostgreSQL; each feature declares its own beside its stores. Money is
 * integer cents, times are milliseconds since 1970 (UTC), flags are 0 or 1, lists are JSON text, so that both engines
 * store and answer alike.
 */
import type { Dialect, Insertable, Kysely, Selectable } from 'kysely';

export type Engine = 'sqlite' | 'postgres';
export type Flag = 0 | 1;

/** What was written to see whether an order could be. */
interface WriteProbeTable {
  id: string;
  payload: string;
}

/** Keys that sign links, made once per database. */
interface SigningKeyTable {
  name: string;
  key: string;
}

export interface Tables {
  writeProbes: WriteProbeTable;
  signingKeys: SigningKeyTable;
}

/** The database, or a transaction on it. */
export type Db = Kysely<Tables>;
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>;

/** One engine's way to its data. */
export interface DatabaseSource {
  engine: Engine;
  /** How messages call it. */
  name: string;
  /** Gets to the data; rejects with CannotStart when it must not be used. Called again after a failure. */
  open(): Promise<void>;
  /** `opened` is awaited before the first query. */
  dialect(opened: () => Promise<void>): Dialect;
  close(): Promise<void>;
}
