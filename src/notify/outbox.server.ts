/**
 * A notification is stored in the same transaction as what happened, and delivered from here: at least once, in order
 * per topic, by whichever instance is there.
 */
import type { Kysely } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Database } from '../platform/database/database.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import type { Env } from '../platform/env/env.server.ts';
import { logFault } from '../platform/log.server.ts';
import type { Channel } from './channel.server.ts';
import type { NotificationKind, Writer } from './notification-kind.server.ts';
import { addDeliveries, forgetSettledBefore, releaseAll } from './outbox-store.server.ts';
import { OutboxWorker } from './outbox-worker.server.ts';
import { storedNotification } from './stored-notification.server.ts';
import { teamsChannel } from './teams.server.ts';

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
  const clean = () =>
    forgetSettledBefore(db, Date.now() - KEEP_SETTLED_MS).catch((error: unknown) =>
      logFault('outbox-cleaning', error),
    );
  const cleaning = setInterval(clean, CLEAN_EVERY_MS).unref();

  let stopAsked: number | undefined;
  /** A notification is committed, or something has become due by other means. */
  const wake = () => {
    for (const worker of workers) worker.wake();
  };
  /** Starts nothing new; what is under way goes on until `close`. */
  const stopClaiming = () => {
    stopAsked ??= performance.now();
    clearInterval(cleaning);
    for (const worker of workers) worker.stopClaiming();
  };
  const notify: Notify = async (trx, kind, id) => {
    if (!kinds.includes(kind)) throw new Error(`no list of kinds has ${kind.kind}`);
    if (channels.length === 0) return;
    const notice = storedNotification(kind, id);
    const subject = await kind.find(trx, id);
    if (subject === undefined) throw new Error(`there is nothing to notify of: ${notice}`);
    const configured = channels.map(({ name }) => name);
    const { hours } = company;
    const wanted = await kind.channels(trx, subject, { hours, configured });
    const topic = kind.topic(subject);
    const deliveries = configured
      .filter((name) => wanted.includes(name))
      .map((channel) => ({ channel, topic, notice }));
    if (deliveries.length === 0) return;
    await addDeliveries(trx, deliveries);
    wake();
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
      await clean();
    },
    async close() {
      stopClaiming();
      const patience = Math.max(FINISH_MS - (performance.now() - (stopAsked ?? 0)), 0);
      await Promise.all(workers.map((worker) => worker.close(patience)));
    },
  };
}

/**
 * The ways of reaching people that this site's configuration gives it: none, Teams, mail, or both. The mail library
 * is loaded only where there is mail to send.
 */
export async function configuredChannels(
  { teams, mail }: Pick<Env, 'teams' | 'mail'>,
  writer: Writer,
): Promise<Channel[]> {
  return [
    ...(teams ? [teamsChannel(teams, writer)] : []),
    ...(mail ? (await import('./mail.server.ts')).mailChannels(mail, writer) : []),
  ];
}
