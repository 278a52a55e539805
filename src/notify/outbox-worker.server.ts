/** Delivers one channel's share of the outbox: claims what is due, delivers it, writes down what came of it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../platform/database/database.server.ts';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { type Channel, MOST_TRIES, type Outcome, pauseMs } from './channel.server.ts';
import type { NotificationKind } from './notification-kind.server.ts';
import {
  claimNext,
  forgetDelivery,
  nextDueAt,
  pauseChannel,
  release,
  settleAccepted,
  settleFailed,
} from './outbox-store.server.ts';
import { readNotification } from './stored-notification.server.ts';

/** How often it looks without being woken: another instance may have died with deliveries in its hands. */
const POLL_MS = 5_000;
/** After a wake-up it looks again after this time, and after twice as long, until it polls as ever. */
const EAGER_MS = 10;
const AFTER_FAULT_MS = 1_000;

export class OutboxWorker {
  readonly #database: Database;
  readonly #channel: Channel;
  readonly #kinds: readonly NotificationKind[];
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  /** By the row's id. */
  readonly #inFlight = new Map<number, Promise<void>>();
  readonly #running: Promise<void>;
  #eager = EAGER_MS;
  #woken = false;
  #databaseAway = false;
  #rouse = () => {};

  constructor(database: Database, channel: Channel, kinds: readonly NotificationKind[]) {
    this.#database = database;
    this.#channel = channel;
    this.#kinds = kinds;
    this.#running = this.#run();
  }

  /**
   * There may be something to deliver: now, or once the transaction that is writing it down is committed. Not
   * everybody says so, so it looks several times.
   */
  wake(): void {
    this.#eager = EAGER_MS;
    this.#lookNow();
  }

  /** Claims nothing any more; what is under way goes on. */
  stopClaiming(): void {
    this.#stop.abort();
    this.#lookNow();
  }

  /** Waits at most `patienceMs` for what is under way, then cuts it off and gives it back. */
  async close(patienceMs: number): Promise<void> {
    this.stopClaiming();
    const enough = setTimeout(() => this.#cut.abort(), patienceMs);
    await this.#running;
    await Promise.all(this.#inFlight.values());
    clearTimeout(enough);
    this.#channel.close();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const claimed = await this.#claim();
      if (claimed) {
        const delivery = this.#deliver(claimed).finally(() => {
          this.#inFlight.delete(claimed.id);
          this.#lookNow();
        });
        this.#inFlight.set(claimed.id, delivery);
      } else {
        await this.#sleep();
      }
    }
  }

  async #claim(): Promise<Row<'outbox'> | undefined> {
    if (this.#inFlight.size >= this.#channel.atOnce) return undefined;
    try {
      const claimed = await claimNext(this.#database, this.#channel, [...this.#inFlight.keys()]);
      this.#databaseAway = false;
      return claimed;
    } catch (error) {
      this.#logTrouble(error);
      await this.#orStopped(AFTER_FAULT_MS);
      return undefined;
    }
  }

  async #sleep(): Promise<void> {
    if (!this.#woken) {
      const due = await nextDueAt(this.#database.db, this.#channel.name).catch(
        () => Date.now() + AFTER_FAULT_MS,
      );
      const ms = Math.min(Math.max(due - Date.now(), 1), this.#eager);
      this.#eager = Math.min(this.#eager * 2, POLL_MS);
      const roused = Promise.withResolvers<void>();
      this.#rouse = roused.resolve;
      if (!this.#woken) await Promise.race([roused.promise, this.#orStopped(ms)]);
    }
    this.#woken = false;
  }

  #lookNow(): void {
    this.#woken = true;
    this.#rouse();
  }

  async #deliver(row: Row<'outbox'>): Promise<void> {
    // The stop may have been announced while this was being claimed.
    const outcome = this.#stop.signal.aborted ? undefined : await this.#send(row);
    // Until it is written down the receiver's word exists in this process only, so a database that is away is waited for.
    for (;;) {
      try {
        return await this.#settle(row, outcome);
      } catch (error) {
        this.#logTrouble(error);
        if (!isDatabaseAway(error) || this.#cut.signal.aborted) return;
        await pause(AFTER_FAULT_MS);
      }
    }
  }

  /** Undefined when it could not begin: that is no try. */
  async #send(row: Row<'outbox'>): Promise<Outcome | undefined> {
    try {
      const { db } = this.#database;
      const notification = await readNotification(db, this.#kinds, row.notice);
      if (!notification) return { kind: 'gone' };
      // After a slow answer of the database it might still be under way when another instance takes it over.
      if (row.nextTryAt - Date.now() < this.#channel.deadlineMs) return undefined;
      return await this.#channel.deliver(row, notification, this.#cut.signal);
    } catch (error) {
      this.#logTrouble(error);
      if (!isDatabaseAway(error)) return { kind: 'failed', answer: 'a fault of ours: see the log' };
      await this.#orStopped(AFTER_FAULT_MS);
      return undefined;
    }
  }

  async #settle(row: Row<'outbox'>, outcome: Outcome | undefined): Promise<void> {
    const { db } = this.#database;
    if (!outcome) return release(db, row);
    if (outcome.kind === 'accepted') return settleAccepted(db, row.id, outcome.answer);
    if (outcome.kind === 'gone') return forgetDelivery(db, row.id);
    if (this.#cut.signal.aborted) return release(db, row);
    const { answer, retryAfterMs = 0, final = false } = outcome;
    const wait = Math.max(pauseMs(row.tries), retryAfterMs);
    if (retryAfterMs > 0) await pauseChannel(db, this.#channel.name, Date.now() + retryAfterMs);
    const setAside = final || row.tries >= MOST_TRIES;
    const { id, channel, tries } = row;
    logEvent(setAside ? 'error' : 'warn', setAside ? 'outbox-set-aside' : 'outbox-failed', {
      id,
      channel,
      tries,
      answer,
    });
    await settleFailed(db, row, answer, setAside ? null : Date.now() + wait);
  }

  /** A database that is away is logged once, not with each look. */
  #logTrouble(error: unknown): void {
    const { name: channel } = this.#channel;
    if (!isDatabaseAway(error)) {
      logFault('outbox-fault', error, { channel });
    } else if (!this.#databaseAway) {
      this.#databaseAway = true;
      logEvent('warn', 'outbox-database-away', { channel, message: String(error) });
    }
  }

  /** Resolves after the time, or at once when the worker is to stop. */
  async #orStopped(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.#stop.signal, ref: false }).catch(() => {});
  }
}
