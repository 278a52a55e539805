import type { Dialect } from 'kysely';
import type { Engine } from './tables.server.ts';

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
