/**
 * A notification is stored in the same transaction as what happened, and delivered from here: at least once, in order
 * per topic, by whichever instance is there.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Database } from '../platform/database/database.server.ts';
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { forgetOldRecipients } from '../platform/mail-recipients.server.ts';
import {
  type Channel,
  MOST_TRIES,
  type NotificationKind,
  type Outcome,
  pauseMs,
  readNotification,
} from './notification.server.ts';
import {
  addNotification,
  claimNext,
  forgetDelivery,
  forgetSettledBefore,
  nextDueAt,
  pauseChannel,
  release,
  releaseAll,
  settleAccepted,
  settleFailed,
} from './outbox-store.server.ts';

/** Notifies of the row with this id; call it inside the transaction that stores what happened. */
export type Notify = (trx: Kysely<Tables>, kind: NotificationKind, id: number) => Promise<void>;

const KEEP_SETTLED_MS = 30 * 24 * 60 * 60 * 1000;
const CLEAN_EVERY_MS = 6 * 60 * 60 * 1000;
/** How long deliveries under way may still take once the site is to stop: as long as Teams may take to answer. */
const FINISH_MS = 5_000;

export type Outbox = ReturnType<typeof createOutbox>;

export function createOutbox(
  database: Database,
  company: Company,
  channels: readonly Channel[],
  kinds: readonly NotificationKind[],
) {
  const { db, engine } = database;
  let workers: OutboxWorker[] = [];
  const cleaning = new Interval('outbox-cleaning', CLEAN_EVERY_MS, async () => {
    await forgetSettledBefore(db, Date.now() - KEEP_SETTLED_MS);
    await forgetOldRecipients(db);
  });

  let stopAsked: number | undefined;
  /** A notification is committed, or something has become due by other means. */
  const wake = () => {
    for (const worker of workers) worker.wake();
  };
  /** Starts nothing new; what is under way goes on until `close`. */
  const stopClaiming = () => {
    stopAsked ??= performance.now();
    for (const worker of workers) worker.stopClaiming();
  };
  const notify: Notify = async (trx, kind, id) => {
    if (!kinds.includes(kind)) throw new Error(`no list of kinds has ${kind.kind}`);
    if (channels.length === 0) return;
    if (await addNotification(trx, kind, id, { channels, hours: company.hours })) wake();
  };
  return {
    notify,
    wake,
    stopClaiming,
    /** Begins to deliver; for the start, once the database is there. */
    async start() {
      // The data folder's lock makes this process the only one, so every claim in it is a dead process's.
      if (engine === 'sqlite') await releaseAll(db);
      workers = channels.map((channel) => new OutboxWorker(database, channel, kinds));
      await cleaning.start();
    },
    async close() {
      stopClaiming();
      const patience = Math.max(FINISH_MS - (performance.now() - (stopAsked ?? 0)), 0);
      await Promise.all([cleaning.stop(), ...workers.map((worker) => worker.close(patience))]);
    },
  };
}

/** How often it looks without being woken: another instance may have died with deliveries in its hands. */
const POLL_MS = 5_000;
/** After a wake-up it looks again after this time, and after twice as long, until it polls as ever. */
const EAGER_MS = 10;
const AFTER_FAULT_MS = 1_000;

/** Delivers one channel's share of the outbox: claims what is due, delivers it, writes down what came of it. */
class OutboxWorker {
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
      } else await this.#sleep();
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
      const notification = await readNotification(this.#database.db, this.#kinds, row.notice);
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
    const told = { id: row.id, channel: row.channel, tries: row.tries, answer };
    if (setAside) logEvent('error', 'outbox-set-aside', told);
    else logEvent('warn', 'outbox-failed', told);
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
