/**
 * Between the requests and the database: what is known of a request waits here for at most a second and is stored with
 * others. When the database is slow or away it waits in memory, up to a bound; then the oldest lose their lines and are
 * only counted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../platform/database/database.server.ts';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { type AccessRecord, cleanRecord } from './access-record.server.ts';
import { LogBudget } from './log-budget.server.ts';
import { writeCsvLine } from './log-lines.server.ts';
import { storeBatch } from './log-store.server.ts';
import { Tally } from './tally.server.ts';
import { Visitors } from './visitors.server.ts';
import { WaitingLines } from './waiting-lines.server.ts';

/** Of the second that a killed process may lose; the rest is for writing. */
const LONGEST_WAIT_MS = 750;
/** As many as are stored within a few milliseconds: SQLite is written to on the thread that answers. */
const BATCH = 1000;
/** As many are read together: fewer cost more each, and more would keep somebody waiting. */
const READ_AT_ONCE = 100;

export class AccessLog {
  readonly #database: Database;
  readonly #tally: Tally;
  readonly #visitors: Visitors;
  readonly #budget: LogBudget;
  /** Not read yet. */
  readonly #taken: AccessRecord[] = [];
  readonly #waiting = new WaitingLines();
  /** When the newest request came whose line was dropped and of whose dropping the database does not know yet. */
  #droppedUntil: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #away = false;
  #closed = false;
  /** Since the start of the process; `dropped`: whose lines were. */
  readonly counters = { stored: 0, dropped: 0 };

  /** `mostMegabytes`: of the lines, as LOG_MAX_MB. */
  constructor(database: Database, ownHost: string, mostMegabytes: number) {
    this.#database = database;
    this.#budget = new LogBudget(database, mostMegabytes);
    this.#tally = new Tally(ownHost);
    this.#visitors = new Visitors(database.db);
  }

  get waiting(): number {
    return this.#taken.length + this.#waiting.length;
  }

  /** Never waits and never fails. */
  readonly take = (record: AccessRecord): void => {
    if (this.#closed) return;
    this.#taken.push(record);
    if (this.#taken.length === READ_AT_ONCE) this.#read();
    if (this.waiting % BATCH === 0) this.#plan(0);
    else if (this.#timer === undefined) this.#plan(LONGEST_WAIT_MS);
  };

  #read(): void {
    for (const record of this.#taken.splice(0).map(cleanRecord)) {
      this.#tally.add(record);
      this.#visitors.add(record);
      const excess = this.#waiting.add(record.at, writeCsvLine(record));
      if (!excess) continue;
      this.counters.dropped += excess.dropped;
      this.#droppedUntil = Math.max(this.#droppedUntil ?? 0, excess.until);
    }
  }

  #plan(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#write(), wait).unref();
  }

  /** Stores what has been taken so far, unless the database is away; for reports that should hold the latest. */
  async settle(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const began = performance.now();
    this.#writing ??= this.#writeWaiting()
      .catch((error) => this.#keepWaiting(error))
      .finally(() => {
        this.#writing = undefined;
        if (this.waiting > 0 && this.#timer === undefined) {
          // What waits came after this began, and has waited for as long as it took.
          this.#plan(Math.max(LONGEST_WAIT_MS - (performance.now() - began), 0));
        }
      });
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    this.#read();
    // What comes meanwhile waits for the next time, so that batches stay large; a few more are no batch of their own.
    for (let left = this.#waiting.length; left > 0; ) {
      const stored = await this.#store(left < 2 * BATCH ? left : BATCH);
      this.counters.stored += stored;
      left -= stored;
      await nextTurn();
    }
    if (this.#away) logEvent('info', 'access-log-stored-again', this.counters);
    this.#away = false;
  }

  /** Gives how many lines it has stored. All stays as it was when the database does not take it. */
  async #store(most: number): Promise<number> {
    const visitors = await this.#visitors.due();
    const { count, pieces } = this.#waiting.first(most);
    const left = this.#waiting.left + count;
    const tallies = this.#tally.due();
    const droppedUntil = this.#droppedUntil;
    const bytes = await storeBatch(this.#database, { pieces, tallies, visitors, droppedUntil });
    this.#waiting.leave(left);
    this.#tally.keep(tallies);
    this.#visitors.keep(visitors);
    if (this.#droppedUntil === droppedUntil) this.#droppedUntil = undefined;
    await this.#budget.stored(bytes);
    return count;
  }

  #keepWaiting(error: unknown): void {
    if (!this.#away) {
      if (isDatabaseAway(error)) logEvent('warn', 'access-log-waits', { message: String(error) });
      else logFault('access-log-not-stored', error);
    }
    this.#away = true;
  }

  /**
   * Stores what is left, as far as the database takes it. A request whose connection ends later (it waited for its turn
   * while its client left) is lost: the database is closed by then.
   */
  async close(): Promise<void> {
    await this.settle();
    this.#closed = true;
    clearTimeout(this.#timer);
    this.counters.dropped += this.#waiting.length;
    this.#waiting.leave(this.#waiting.left + this.#waiting.length);
    if (this.counters.dropped > 0) logEvent('warn', 'access-log-dropped', this.counters);
  }
}
