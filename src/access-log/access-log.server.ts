/**
 * Between the requests and the database: records wait here for at most a second and are stored in batches. When the
 * database is slow or away they wait in memory, up to a bound; then the oldest lose their lines and are only counted.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../platform/database/database.server.ts';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { type AccessRecord, cleanRecord, shortRecord } from './access-record.server.ts';
import { LogBudget } from './log-budget.server.ts';
import { storeBatch } from './log-store.server.ts';
import { Tally } from './tally.server.ts';
import { Visitors } from './visitors.server.ts';
import { WaitingRecords } from './waiting-records.server.ts';

/** Of the second that a killed process may lose; the rest is for writing. */
const LONGEST_WAIT_MS = 750;
/** As many as are stored within a few milliseconds: SQLite is written to on the thread that answers. */
const BATCH = 1000;

export class AccessLog {
  readonly #database: Database;
  readonly #tally: Tally;
  readonly #visitors: Visitors;
  readonly #budget: LogBudget;
  readonly #waiting = new WaitingRecords();
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
    return this.#waiting.length;
  }

  /** Never waits and never fails. */
  readonly take = (record: AccessRecord): void => {
    if (this.#closed) return;
    const dropped = this.#waiting.add(shortRecord(record));
    if (dropped.length > 0) this.#drop(dropped);
    if (this.#waiting.length % BATCH === 0) this.#plan(0);
    else if (this.#timer === undefined) this.#plan(LONGEST_WAIT_MS);
  };

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
        if (this.#waiting.length > 0 && this.#timer === undefined) {
          // What waits came after this began, and has waited for as long as it took.
          this.#plan(Math.max(LONGEST_WAIT_MS - (performance.now() - began), 0));
        }
      });
    return this.#writing;
  }

  async #writeWaiting(): Promise<void> {
    // What comes meanwhile waits for the next time, so that batches stay large.
    for (let left = this.#waiting.length; left > 0; left -= BATCH) {
      const batch = this.#waiting.take(Math.min(left, BATCH));
      try {
        await this.#store(batch);
      } catch (error) {
        this.#waiting.putBack(batch);
        throw error;
      }
      this.counters.stored += batch.length;
      await nextTurn();
    }
    if (this.#away) logEvent('info', 'access-log-stored-again', this.counters);
    this.#away = false;
  }

  async #store(batch: readonly AccessRecord[]): Promise<void> {
    const records = batch.map(cleanRecord);
    const visitors = await this.#visitors.newAmong(records);
    const tallies = this.#tally.count(records);
    const droppedUntil = this.#droppedUntil;
    const bytes = await storeBatch(this.#database, { records, tallies, visitors, droppedUntil });
    this.#tally.keep(tallies);
    this.#visitors.keep(visitors);
    if (this.#droppedUntil === droppedUntil) this.#droppedUntil = undefined;
    await this.#budget.stored(bytes);
  }

  #keepWaiting(error: unknown): void {
    if (!this.#away) {
      if (isDatabaseAway(error)) logEvent('warn', 'access-log-waits', { message: String(error) });
      else logFault('access-log-not-stored', error);
    }
    this.#away = true;
  }

  #drop(records: readonly AccessRecord[]): void {
    this.#tally.owe(records.map(cleanRecord));
    this.counters.dropped += records.length;
    this.#droppedUntil = Math.max(this.#droppedUntil ?? 0, ...records.map(({ at }) => at));
  }

  /**
   * Stores what is left, as far as the database takes it. A request whose connection ends later (it waited for its turn
   * while its client left) is lost: the database is closed by then.
   */
  async close(): Promise<void> {
    await this.settle();
    this.#closed = true;
    clearTimeout(this.#timer);
    this.counters.dropped += this.#waiting.take(this.#waiting.length).length;
    if (this.counters.dropped > 0) logEvent('warn', 'access-log-dropped', this.counters);
  }
}
