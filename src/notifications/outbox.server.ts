/**
 * A notification is stored in the same transaction as what happened, and delivered from here by one worker for each
 * channel: at least once, in order per topic, by whichever instance is there.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
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

  const notify: Notify = async (trx, kind, subjectId, visitor) => {
    if (!kinds.includes(kind)) throw new Error(`no list of kinds has ${kind.kind}`);
    if (channels.length === 0) return;
    const sender =
      visitor === undefined
        ? null
        : createHmac('sha256', senderKey).update(visitor).digest().readInt32BE();
    await addDeliveries(trx, { kind, subjectId, sender, configured, hours });
  };
  const each = (act: (worker: OutboxWorker) => void) => {
    for (const worker of workers) act(worker);
  };
  return {
    notify,
    /** A notification has been committed. */
    wake: () => each((worker) => worker.wake()),
    /** Tries channels that are unavailable now. */
    endPauses: () => each((worker) => worker.endPause()),
    /** Begins to deliver; for the start, once the database is there. */
    start: async () => each((worker) => worker.start()),
    /** Starts nothing new; what is under way may still take FINISH_MS. */
    stopClaiming: () => each((worker) => worker.stopClaiming()),
    close: async () => void (await Promise.all(workers.map((worker) => worker.close()))),
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
  #cutTimer: NodeJS.Timeout | undefined;
  /** Ends the sleep that comes next, or is under way. */
  #nap = new AbortController();
  /** How often the channel has been unavailable in a row. */
  #failures = 0;
  /** Nothing is sent before, by `performance.now()`. */
  #pausedUntil = 0;

  constructor(database: Database, channel: Channel, kinds: readonly NotificationKind[]) {
    this.#database = database;
    this.#channel = channel;
    this.#kinds = kinds;
  }

  start(): void {
    this.#running = this.#run();
  }

  wake(): void {
    this.#nap.abort();
  }

  endPause(): void {
    this.#pausedUntil = 0;
    this.wake();
  }

  /** Claims nothing any more; what is under way is cut off and put back after FINISH_MS. */
  stopClaiming(): void {
    this.#stopped = true;
    this.#cutTimer ??= setTimeout(() => this.#cut.abort(), FINISH_MS);
    this.wake();
  }

  async close(): Promise<void> {
    this.stopClaiming();
    await this.#running;
    clearTimeout(this.#cutTimer);
    this.#channel.close();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      this.#nap = new AbortController();
      const pause = this.#pausedUntil - performance.now();
      const row = pause > 0 ? undefined : await this.#claim();
      if (row) await this.#deliver(row);
      else await sleep(Math.min(Math.max(pause, 1), POLL_MS), this.#nap.signal);
    }
  }

  async #claim(): Promise<Row<'outbox'> | undefined> {
    try {
      return await claimNext(this.#database, this.#channel, { probing: this.#failures > 0 });
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
        await sleep(POLL_MS, this.#cut.signal);
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

  /** A database that is away is logged where requests find it. */
  #logFault(error: unknown): void {
    if (!isDatabaseAway(error)) logFault('outbox-fault', error, { channel: this.#channel.name });
  }
}

/** Resolves after the time, or when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeoutAsync(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
