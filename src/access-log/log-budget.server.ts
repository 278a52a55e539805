/** Keeps the log's lines within LOG_MAX_MB: the oldest go first, and what was counted of them stays. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.server.ts';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import { looseTransaction } from '../platform/database/loose-transaction.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { keepDropped } from './log-store.server.ts';
import { MINUTE } from './tally.server.ts';

/** What a trim leaves, so that it is done now and then, and several servers together stay within the budget. */
const LEFT = 15 / 16;
/** In bytes: overwriting them keeps no request waiting for more than some milliseconds. */
const AT_ONCE = 4 * 1024 * 1024;
const PIECES_AT_ONCE = 100;

export class LogBudget {
  readonly #database: Database;
  readonly #most: number;
  /** Never less than what is stored, as far as this server knows. */
  #estimate = Number.POSITIVE_INFINITY;
  #summedAt = 0;

  /** `megabytes` of 1,048,576 bytes. */
  constructor(database: Database, megabytes: number) {
    this.#database = database;
    this.#most = megabytes * 1024 * 1024;
  }

  /** To be told of what has been stored, in bytes. Never fails: what cannot be dropped now is dropped later. */
  async stored(bytes: number): Promise<void> {
    this.#estimate += bytes;
    await this.#keep().catch((error: unknown) => {
      if (!isDatabaseAway(error)) logFault('access-log-not-trimmed', error);
    });
  }

  async #keep(): Promise<void> {
    // Of what other servers have stored only the database knows.
    const shared = this.#database.engine === 'postgres';
    const unsure = shared && performance.now() - this.#summedAt > MINUTE;
    if (this.#estimate <= this.#most && !unsure) return;
    this.#estimate = await this.#sum();
    this.#summedAt = performance.now();
    if (this.#estimate > this.#most) await this.#trim();
  }

  async #sum(): Promise<number> {
    const { bytes } = await this.#database.db
      .selectFrom('accessLog')
      .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
      .executeTakeFirstOrThrow();
    return Number(bytes);
  }

  async #trim(): Promise<void> {
    const { db, engine } = this.#database;
    const before = this.#estimate;
    while (this.#estimate > this.#most * LEFT) {
      const freed = await this.#dropOldest(this.#estimate - this.#most * LEFT);
      if (freed === 0) break;
      this.#estimate -= freed;
      await nextTurn();
    }
    logEvent('info', 'access-log-trimmed', { bytes: before - this.#estimate });
    // SQLite uses deleted pages again by itself, PostgreSQL when somebody has looked for them.
    if (engine === 'postgres') await sql`vacuum (skip_locked) "accessLog"`.execute(db);
  }

  /** Gives how many bytes it has dropped: `wanted`, or as many as are dropped at once. */
  async #dropOldest(wanted: number): Promise<number> {
    const oldest = await this.#database.db
      .selectFrom('accessLog')
      .select(['id', 'lastAt', 'size'])
      .orderBy('lastAt')
      .orderBy('id')
      .limit(PIECES_AT_ONCE)
      .execute();
    let freed = 0;
    const pieces = oldest.filter(({ size }) => {
      if (freed >= Math.min(wanted, AT_ONCE)) return false;
      freed += size;
      return true;
    });
    if (pieces.length > 0)
      await looseTransaction(this.#database, async (trx) => {
        await keepDropped(trx, Math.max(...pieces.map(({ lastAt }) => lastAt)));
        const ids = pieces.map(({ id }) => id);
        await trx.deleteFrom('accessLog').where('id', 'in', ids).execute();
      });
    return freed;
  }
}
