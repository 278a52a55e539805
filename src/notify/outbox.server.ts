/**
 * What must be told is written down in the same transaction as what happened, and delivered from here: at least
 * once, in order per topic, by whichever instance is there.
 */
import type { Kysely } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Database } from '../platform/database.server.ts';
import { logFault } from '../platform/log.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { Channel } from './channel.server.ts';
import type { Notice } from './notice.ts';
import { addDeliveries, forgetSettledBefore, releaseAll } from './outbox-store.server.ts';
import { OutboxWorker } from './outbox-worker.server.ts';
import { channelsFor, readTold, topicOf } from './told.server.ts';

/** Call it inside the transaction that stores what the notice is about. */
export type Tell = (trx: Kysely<Tables>, notice: Notice) => Promise<void>;

const KEEP_SETTLED_MS = 30 * 24 * 60 * 60 * 1000;
const CLEAN_EVERY_MS = 6 * 60 * 60 * 1000;
/** How long deliveries under way may still take once the site is to stop: as long as Teams may take to answer. */
const FINISH_MS = 5_000;

export interface Outbox {
  tell: Tell;
  /** Begins to deliver; for the start, once the database is there. */
  start(): Promise<void>;
  /** What was told is committed, or something has become due by other means. */
  wake(): void;
  /** Starts nothing new; what is under way goes on until `close`. */
  stopClaiming(): void;
  close(): Promise<void>;
}

export function createOutbox(
  database: Database,
  company: Company,
  channels: readonly Channel[],
): Outbox {
  const { db, engine } = database;
  let workers: OutboxWorker[] = [];
  const clean = () =>
    forgetSettledBefore(db, Date.now() - KEEP_SETTLED_MS).catch((error: unknown) =>
      logFault('outbox-cleaning', error),
    );
  const cleaning = setInterval(clean, CLEAN_EVERY_MS).unref();

  let stopAsked: number | undefined;
  const wake = () => {
    for (const worker of workers) worker.wake();
  };
  const stopClaiming = () => {
    stopAsked ??= performance.now();
    clearInterval(cleaning);
    for (const worker of workers) worker.stopClaiming();
  };
  return {
    wake,
    stopClaiming,
    async start() {
      // The data folder's lock makes this process the only one, so every claim in it is a dead process's.
      if (engine === 'sqlite') await releaseAll(db);
      workers = channels.map((channel) => new OutboxWorker(database, channel));
      await clean();
    },
    async tell(trx, notice) {
      if (channels.length === 0) return;
      const told = await readTold(trx, notice);
      if (!told) throw new Error(`there is nothing to tell: ${JSON.stringify(notice)}`);
      const configured = channels.map(({ name }) => name);
      const wanted = await channelsFor(trx, told, company.hours, configured);
      if (wanted.length === 0) return;
      const topic = topicOf(told);
      await addDeliveries(
        trx,
        wanted.map((channel) => ({ channel, topic, notice: JSON.stringify(notice) })),
      );
      wake();
    },
    async close() {
      stopClaiming();
      const patience = Math.max(FINISH_MS - (performance.now() - (stopAsked ?? 0)), 0);
      await Promise.all(workers.map((worker) => worker.close(patience)));
    },
  };
}
