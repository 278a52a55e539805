/** Types of the tables, for both engines. Money is cents, times milliseconds, flags 0 or 1. */
import type { Dialect, Insertable, Kysely, Selectable, Transaction } from 'kysely';

export type Engine = 'sqlite' | 'postgres';
export type Flag = 0 | 1;

/**
 * Without what stays for servers of 1.0 until 1.2: `signInFailures`, `storedBytes`, `mailboxTurns`,
 * and `sender` and `queuedBefore` of `outbox`.
 */
export interface Tables {
  /** The row that /readyz writes to find out whether an order could be stored. */
  writeProbes: {
    id: string;
    payload: string;
  };
  /** Keys that sign links, created once per database. */
  signingKeys: {
    name: string;
    key: string;
  };
}

/** The database, or a transaction on it. */
export type Db = Kysely<Tables>;
/** What locks rows, or is stored with what led to it, must run in one. */
export type Trx = Transaction<Tables>;
export type Row<Name extends keyof Tables> = Selectable<Tables[Name]>;
export type NewRow<Name extends keyof Tables> = Insertable<Tables[Name]>;

/** One database engine, configured but not yet open. */
export interface DatabaseSource {
  engine: Engine;
  /** For messages to the operator. */
  name: string;
  /** Opens the data; rejects with CannotStart if it must not. Call again after a failure. */
  open(): Promise<void>;
  /** `opened` is awaited before the first query. */
  dialect(opened: () => Promise<void>): Dialect;
  close(): Promise<void>;
}
