/** One attempt at a time to open the database, whoever asks, and not one after the other while it is away. */
import { setTimeout } from 'node:timers/promises';
import { type Dialect, Kysely } from 'kysely';
import { CannotStart, reason } from './cannot-start.server.ts';
import { isDatabaseAway } from './database-away.server.ts';
import { logEvent } from './log.server.ts';
import type { Engine } from './migrations/engine.server.ts';
import { runMigrations } from './migrations/run-migrations.server.ts';
import type { Tables } from './tables.server.ts';

/** One engine's way to its data. */
export interface DatabaseSource {
  engine: Engine;
  dialect: Dialect;
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
  #running: Promise<void> | undefined;
  #failure: { error: unknown; at: number } | undefined;

  constructor(source: DatabaseSource) {
    this.#source = source;
  }

  /** Opens it and brings it to this version. Rejects with a CannotStart when it is wrong, else when it is away. */
  attempt(): Promise<void> {
    if (this.#failure && performance.now() - this.#failure.at < FAILED_MS)
      return Promise.reject(this.#failure.error);
    this.#running ??= open(this.#source)
      .then(
        () => this.#opened(),
        (error: unknown) => this.#failed(error),
      )
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** The same for somebody who waits for an answer. */
  async soon(): Promise<void> {
    const giveUp = new AbortController();
    const late = setTimeout(PATIENCE_MS, undefined, { signal: giveUp.signal }).then(
      () => {
        throw new Error('timeout exceeded when opening the database');
      },
      () => undefined,
    );
    await Promise.race([this.attempt(), late]).finally(() => giveUp.abort());
  }

  #opened(): void {
    if (this.#failure) logEvent('info', 'database-opened');
    this.#failure = undefined;
  }

  /** Each reason is logged once, not with each attempt. */
  #failed(error: unknown): never {
    const message = reason(error);
    if (!this.#failure || reason(this.#failure.error) !== message)
      logEvent('warn', 'database-not-open', { message });
    this.#failure = { error, at: performance.now() };
    throw error;
  }
}

async function open({ name, engine, dialect, reach }: DatabaseSource): Promise<void> {
  try {
    await reach();
  } catch (error) {
    throw isDatabaseAway(error) ? error : cannotBeUsed(name, error);
  }
  try {
    await runMigrations(new Kysely<Tables>({ dialect }), engine);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    throw new CannotStart(`The database cannot be brought to this version: ${reason(error)}`);
  }
}

export function cannotBeUsed(name: string, error: unknown): CannotStart {
  return error instanceof CannotStart
    ? error
    : new CannotStart(`${name} cannot be used: ${reason(error)}`);
}
