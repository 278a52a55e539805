/**
 * A notification is stored in the same transaction as what happened, and delivered from here by one worker for each
 * channel: at least once, in order per topic, by whichever instance is there.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Database } from '../platform/database/database.server.ts';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { forgetOldRecipients } from '../platform/message-limits.server.ts';
import type { Channel, NotificationKind, Outcome } from './notification.server.ts';
import {
  addDeliveries,
  claimNext,
  deleteDelivery,
  deleteSettledBefore,
  endClaim,
  pauseMs,
} from './outbox-store.server.ts';

/**
 * Notifies of the row with this id; call it inside the transaction that stores what happened. `sender`: what the limits
 * count the visitor by who caused it, if one did.
 */
export type Notify = (
  trx: Kysely<Tables>,
  kind: NotificationKind,
  id: number,
  sender?: string,
) => Promise<void>;

export const MOST_TRIES = 12;
/** How often a worker looks without being woken: not all that notifies is a call, and another instance may have died. */
const POLL_MS = 1_000;
/** A channel that is unavailable is tried again after so long at the latest, unless it asks for more. */
const LONGEST_CHANNEL_PAUSE_MS = 5 * 60 * 1000;
/** How long a delivery under way may still take once the site is to stop: as long as Teams may take to answer. */
const FINISH_MS = 5_000;
const KEEP_SETTLED_MS = 30 * 24 * 60 * 60 * 1000;
const CLEAN_EVERY_MS = 6 * 60 * 60 * 1000;

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(
  database: Database,
  { hours }: Pick<Company, 'hours'>,
  channels: readonly Channel[],
  kinds: readonly NotificationKind[],
) {
  const configured = channels.map(({ name }) => name);
  // Of this process alone, so that what is stored of a visitor leads to no address.
  const senderKey = randomBytes(32);
  const workers = channels.map((channel) => new OutboxWorker(database, channel, kinds));
  let stoppedAt: number | undefined;

  const notify: Notify = async (trx, kind, subjectId, visitor) => {
    if (!kinds.includes(kind)) throw new Error(`no list of kinds has ${kind.kind}`);
    if (channels.length === 0) return;
    const sender =
      visitor === undefined
        ? null
        : createHmac('sha256', senderKey).update(visitor).digest().readInt32BE();
    await addDeliveries(trx, { kind, subjectId, sender, configured, hours });
  };
  /** Starts nothing new; what is under way goes on until `close`. */
  const stopClaiming = () => {
    stoppedAt ??= performance.now();
    for (const worker of workers) worker.stopClaiming();
  };
  return {
    notify,
    stopClaiming,
    /** A notification has been committed. */
    wake() {
      for (const worker of workers) worker.wake();
    },
    /** Tries channels that are unavailable now. */
    endPauses() {
      for (const worker of workers) worker.endPause();
    },
    /** Begins to deliver; for the start, once the database is there. */
    async start() {
      for (const worker of workers) worker.start();
    },
    async close() {
      stopClaiming();
      const timeLeft = Math.max(FINISH_MS - (performance.now() - (stoppedAt ?? 0)), 0);
      await Promise.all(workers.map((worker) => worker.close(timeLeft)));
    },
  };
}

export function cleanOutbox(db: Kysely<Tables>): Interval {
  return new Interval('outbox-cleaning', CLEAN_EVERY_MS, async () => {
    await deleteSettledBefore(db, Date.now() - KEEP_SETTLED_MS);
    await forgetOldRecipients(db);
  });
}

/** Delivers one channel's share of the outbox, one after the other. */
class OutboxWorker {
  readonly #database: Database;
  readonly #channel: Channel;
  readonly #kinds: readonly NotificationKind[];
  readonly #cut = new AbortController();
  #running = Promise.resolve();
  #stopped = false;
  #woken = false;
  #endSleep = () => {};
  /** How often the channel has been unavailable in a row. */
  #failures = 0;
  /** Nothing is sent before, by `performance.now()`. */
  #pausedUntil = 0;
  #databaseAway = false;

  constructor(database: Database, channel: Channel, kinds: readonly NotificationKind[]) {
    this.#database = database;
    this.#channel = channel;
    this.#kinds = kinds;
  }

  start(): void {
    this.#running = this.#run();
  }

  wake(): void {
    this.#woken = true;
    this.#endSleep();
  }

  endPause(): void {
    this.#pausedUntil = 0;
    this.wake();
  }

  /** Claims nothing any more; what is under way goes on. */
  stopClaiming(): void {
    this.#stopped = true;
    this.wake();
  }

  /** Waits at most so long for what is under way, then cuts it off and gives it back. */
  async close(ms: number): Promise<void> {
    this.stopClaiming();
    const timer = setTimeout(() => this.#cut.abort(), ms);
    await this.#running;
    clearTimeout(timer);
    this.#channel.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const pause = this.#pausedUntil - performance.now();
      const row = pause > 0 ? undefined : await this.#claim();
      if (row) await this.#deliver(row);
      else await this.#sleep(Math.min(Math.max(pause, 1), POLL_MS));
    }
  }

  async #claim(): Promise<Row<'outbox'> | undefined> {
    try {
      const row = await claimNext(this.#database, this.#channel, { probing: this.#failures > 0 });
      this.#databaseAway = false;
      return row;
    } catch (error) {
      this.#logFault(error);
      return undefined;
    }
  }

  async #deliver(row: Row<'outbox'>): Promise<void> {
    this.#pausedUntil = performance.now() + this.#channel.paceMs;
    // The stop may have come while this was being claimed.
    const outcome = this.#stopped ? undefined : await this.#send(row);
    const isCut = this.#cut.signal.aborted && outcome?.kind !== 'accepted';
    if (outcome && !isCut) this.#pauseAfter(outcome);
    // Until it is written down the receiver's answer is known here alone, so a database that is away is waited for.
    for (;;) {
      try {
        return await this.#writeDown(row, isCut ? undefined : outcome);
      } catch (error) {
        this.#logFault(error);
        if (!isDatabaseAway(error) || this.#cut.signal.aborted) return;
        await this.#sleep(POLL_MS);
      }
    }
  }

  async #send({ kind: name, subjectId, ...rest }: Row<'outbox'>): Promise<Outcome> {
    try {
      const kind = this.#kinds.find((each) => each.kind === name);
      const subject = await kind?.find(this.#database.db, subjectId);
      if (!kind || subject === undefined) return { kind: 'gone' };
      const deadline = AbortSignal.timeout(this.#channel.deadlineMs);
      const signal = AbortSignal.any([this.#cut.signal, deadline]);
      const row = { kind: name, subjectId, ...rest };
      return await this.#channel.deliver(row, { kind, subject }, signal);
    } catch (error) {
      this.#logFault(error);
      return { kind: 'retry', answer: 'a fault of ours: see the log' };
    }
  }

  /** A channel that is unavailable pauses for longer each time, and is tried with one delivery then. */
  #pauseAfter(outcome: Outcome): void {
    this.#failures = outcome.kind === 'unavailable' ? this.#failures + 1 : 0;
    if (outcome.kind !== 'unavailable') return;
    const pause = pauseMs(this.#failures, LONGEST_CHANNEL_PAUSE_MS);
    this.#pausedUntil = performance.now() + Math.max(pause, outcome.retryAfterMs ?? 0);
  }

  /** Without an outcome it was not begun or cut off, which is no try. */
  async #writeDown(row: Row<'outbox'>, outcome: Outcome | undefined): Promise<void> {
    const { db } = this.#database;
    const now = Date.now();
    if (!outcome) return endClaim(db, row, { nextTryAt: now, tries: row.tries - 1 });
    if (outcome.kind === 'gone') return deleteDelivery(db, row.id);
    const { kind, answer: lastAnswer } = outcome;
    if (kind === 'accepted')
      return endClaim(db, row, { state: 'accepted', lastAnswer, settledAt: now });
    const { id, channel, tries } = row;
    if (kind === 'refused' || tries >= MOST_TRIES) {
      logEvent('error', 'outbox-set-aside', { id, channel, tries, answer: lastAnswer });
      return endClaim(db, row, { state: 'set aside', lastAnswer, settledAt: now });
    }
    logEvent('warn', 'outbox-failed', { id, channel, tries, answer: lastAnswer });
    return endClaim(db, row, { lastAnswer, nextTryAt: now + pauseMs(tries) });
  }

  /** A database that is away is logged once, not with each look. */
  #logFault(error: unknown): void {
    const { name: channel } = this.#channel;
    if (!isDatabaseAway(error)) {
      logFault('outbox-fault', error, { channel });
    } else if (!this.#databaseAway) {
      this.#databaseAway = true;
      logEvent('warn', 'outbox-database-away', { channel, message: String(error) });
    }
  }

  /** Resolves after the time, or at once when the worker is woken. */
  async #sleep(ms: number): Promise<void> {
    if (!this.#woken) {
      await new Promise<void>((resolve) => {
        this.#endSleep = resolve;
        setTimeout(resolve, ms).unref();
      });
    }
    this.#woken = false;
  }
}
