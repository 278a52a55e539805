/** One attempt at a time to open the database, however many ask, and not one after the other while it is away. */
import { setTimeout } from 'node:timers/promises';
import { type Dialect, Kysely } from 'kysely';
import { CannotStart, reason } from '../config/cannot-start.server.ts';
import { logEvent } from '../log.server.ts';
import { DatabaseUnavailable, isDatabaseAway, onTheWay } from './database-away.server.ts';
import { runMigrations } from './migrations/run-migrations.server.ts';
import type { Engine, Tables } from './tables.server.ts';

/** One engine's way to its data. */
export interface DatabaseSource {
  engine: Engine;
  /** `open` is awaited before the first query. */
  dialect(open: () => Promise<void>): Dialect;
  /** How messages call it. */
  name: string;
  /** Gets to the data; rejects with CannotStart when it must not be used. Called again after a failure. */
  reach(): Promise<void>;
  close(): Promise<void>;
}

/** A query that comes meanwhile is refused after this time. */
const PATIENCE_MS = 1_500;
/** So long a failure stands for those who ask next. */
const FAILED_MS = 250;

export class DatabaseOpening {
  readonly #source: DatabaseSource;
  #opened = false;
  #running: Promise<void> | undefined;
  #failure: { error: unknown; at: number } | undefined;
  #logged = '';

  constructor(source: DatabaseSource) {
    this.#source = source;
  }

  /** Opens it and brings it to this version. Rejects with a CannotStart when it is wrong, else when it is away. */
  attempt(): Promise<void> {
    if (this.#opened) return Promise.resolve();
    if (this.#failure && performance.now() - this.#failure.at < FAILED_MS)
      return Promise.reject(this.#failure.error);
    this.#running ??= open(this.#source)
      .then(
        () => {
          this.#opened = true;
        },
        (error: unknown) => {
          this.#failure = { error, at: performance.now() };
          throw error;
        },
      )
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** The same for somebody who waits for an answer. Why it fails is logged, each reason once. */
  async soon(): Promise<void> {
    try {
      await Promise.race([this.attempt(), late()]);
      if (this.#logged !== '') logEvent('info', 'database-opened');
      this.#logged = '';
    } catch (error) {
      const message = reason(error);
      if (this.#logged !== message) logEvent('warn', 'database-not-open', { message });
      this.#logged = message;
      throw error;
    }
  }
}

async function late(): Promise<void> {
  await setTimeout(PATIENCE_MS, undefined, { ref: false });
  throw new DatabaseUnavailable('timeout exceeded when opening the database');
}

async function open({ name, engine, dialect, reach }: DatabaseSource): Promise<void> {
  try {
    await reach();
  } catch (thrown) {
    const error = onTheWay(thrown);
    throw isDatabaseAway(error) ? error : cannotBeUsed(name, error);
  }
  try {
    const reached = async () => undefined;
    await runMigrations(new Kysely<Tables>({ dialect: dialect(reached) }), engine);
  } catch (error) {
    if (error instanceof CannotStart || isDatabaseAway(error)) throw error;
    throw new CannotStart(`The database cannot be brought to this version: ${reason(error)}`);
  }
}

export function cannotBeUsed(name: string, error: unknown): CannotStart {
  return error instanceof CannotStart
    ? error
    : new CannotStart(`${name} cannot be used: ${reason(error)}`);
}
