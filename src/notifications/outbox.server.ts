/** Saved with the change it reports; a worker per channel delivers it at least once, in order. */

import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import type { Company } from '../company/company.ts';
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { deleteOldCounts } from '../platform/message-limits.server.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { Faults } from './faults.server.ts';
import { QUICK_DEADLINE_MS } from './http-answer.server.ts';
import type {
  Channel,
  DeliveryOutcome,
  MessageContext,
  NotificationKind,
  Notify,
} from './notification.server.ts';
import { CHANNELS } from './outbox-api.ts';
import {
  addDeliveries,
  claimNext,
  countByChannel,
  deleteDelivery,
  deleteSettledBefore,
  endClaim,
  MAX_PAUSE_MS,
  pauseMs,
} from './outbox-store.server.ts';
import type { MailSettings } from './send-mail.server.ts';
import { type TeamsSettings, teamsChannel } from './teams.server.ts';
import { type WebhookSettings, webhookChannel } from './webhook.server.ts';

export const MAX_TRIES = 12;
/** How often a worker looks by itself: another instance may have died with a claim. */
const POLL_MS = 1_000;
/** The longest pause of an unavailable channel, unless its Retry-After asks for more. */
const MAX_CHANNEL_PAUSE_MS = 5 * MINUTE_MS;

interface Receivers {
  teams: TeamsSettings | null;
  mail: MailSettings | null;
  webhook: WebhookSettings | null;
}

/** Those that are configured. The mail library is loaded only if it is needed. */
export async function configuredChannels(
  { teams, mail, webhook }: Receivers,
  context: MessageContext,
): Promise<Channel[]> {
  return [
    ...(teams ? [teamsChannel(teams, context)] : []),
    ...(webhook ? [webhookChannel(webhook, context)] : []),
    ...(mail ? (await import('./mail.server.ts')).mailChannels(mail, context) : []),
  ];
}

export function createOutbox(
  db: Db,
  { hours }: Pick<Company, 'hours'>,
  channels: readonly Channel[],
  kinds: readonly NotificationKind[],
) {
  const configured = channels.map(({ name }) => name);
  const notify: Notify = async (trx, { kind: name, except, without }, subjectId, eventId) => {
    const kind = kinds.find((listed) => listed.kind === name);
    if (!kind) throw new Error(`${name} is not in NOTIFICATION_KINDS`);
    if (channels.length === 0) return;
    const reached = configured.filter(
      (channel) => CHANNELS[channel].audience !== except && CHANNELS[channel].service !== without,
    );
    await addDeliveries(trx, { kind, subjectId, eventId, configured: reached, hours });
  };
  const faults = new Faults(db, notify);
  const workers = channels.map((channel) => createWorker(channel, { db, kinds, notify, faults }));
  const forEachWorker = (act: (worker: ReturnType<typeof createWorker>) => void) => {
    for (const worker of workers) act(worker);
  };
  return {
    kinds,
    /** Where messages stay that this site cannot erase. */
    copies: channels.filter(({ leavesCopies }) => leavesCopies).map(({ name }) => name),
    notify,
    faults,
    countByChannel: () => countByChannel(db, configured),
    /** Wakes the workers once a notification has been committed. */
    wake: () => forEachWorker((worker) => worker.wake()),
    /** Retries unavailable channels at once. */
    endPauses: () => forEachWorker((worker) => worker.endPause()),
    /** Starts delivering. The database must be ready. */
    start: async () => forEachWorker((worker) => worker.start()),
    /** Starts nothing new; deliveries in progress have QUICK_DEADLINE_MS. */
    stopClaiming: () => forEachWorker((worker) => worker.stopClaiming()),
    close: async () => void (await Promise.all(workers.map((worker) => worker.close()))),
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

export function cleanOutbox({ db }: Site): Interval {
  return new Interval('outbox-cleanup-failed', 6 * HOUR_MS, async () => {
    await deleteSettledBefore(db, Date.now() - 30 * DAY_MS);
    await deleteOldCounts(db);
  });
}

/** 'later': it is not to leave before this time. */
type Outcome = DeliveryOutcome | { kind: 'later'; at: number };

interface WorkerContext {
  db: Db;
  kinds: readonly NotificationKind[];
  notify: Notify;
  faults: Faults;
}

/** Delivers one channel's notifications, one at a time. */
function createWorker(channel: Channel, { db, kinds, notify, faults }: WorkerContext) {
  const hardStop = new AbortController();
  let hardStopTimer: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** Aborts the current or the next sleep. */
  let sleeping = new AbortController();
  /** Whether the last delivery was accepted. */
  let accepts = false;
  /** How many times in a row the channel was unavailable. */
  let failures = 0;
  /** Nothing is sent before this time of `performance.now()`. */
  let pausedUntil = 0;
  /** The id of a delivery that may be the cause of the pause: those after it go first. */
  let suspect = 0;

  const wake = () => sleeping.abort();

  async function run(): Promise<void> {
    while (!isStopped) {
      sleeping = new AbortController();
      const pause = pausedUntil - performance.now();
      const row = pause > 0 ? undefined : await claim();
      if (row) await deliver(row);
      else await sleep(pause > 0 ? Math.min(pause, POLL_MS) : POLL_MS, sleeping.signal);
    }
  }

  async function claim(): Promise<Row<'outbox'> | undefined> {
    try {
      const other = suspect > 0 ? await claimNext(db, channel, suspect) : undefined;
      return other ?? (await claimNext(db, channel, 0));
    } catch (error) {
      logWorkerFault(error);
      return undefined;
    }
  }

  async function deliver(row: Row<'outbox'>): Promise<void> {
    pausedUntil = performance.now() + channel.paceMs;
    // The site may have begun to stop during the claim.
    let outcome = isStopped ? undefined : await send(row);
    if (hardStop.signal.aborted && outcome?.kind !== 'accepted') outcome = undefined;
    const isCounted = outcome !== undefined && isAboutThis(row, outcome);
    if (outcome) {
      pauseAfter(row, outcome);
      await reportFault(outcome);
    }
    // Only this process knows the outcome until it is saved: retry while the database is away.
    for (;;) {
      try {
        return await saveOutcome(row, outcome, isCounted);
      } catch (error) {
        logWorkerFault(error);
        if (!isDatabaseUnavailable(error) || hardStop.signal.aborted) return;
        await sleep(POLL_MS, hardStop.signal);
      }
    }
  }

  const kindOf = (row: Row<'outbox'>) => kinds.find(({ kind }) => kind === row.kind);

  /** Undefined if the database was away: nothing was sent, so it is no try. */
  async function send(row: Row<'outbox'>): Promise<Outcome | undefined> {
    try {
      const kind = kindOf(row);
      const subject = await kind?.find(db, row.subjectId, row.eventId);
      if (!kind || subject === undefined) return { kind: 'obsolete' };
      const at = kind.notBefore?.(subject, CHANNELS[channel.name].audience) ?? 0;
      if (at > Date.now()) return { kind: 'later', at };
      const deadline = AbortSignal.timeout(channel.deadlineMs);
      const signal = AbortSignal.any([hardStop.signal, deadline]);
      return await channel.deliver(row, { kind, subject }, signal);
    } catch (error) {
      logWorkerFault(error);
      if (isDatabaseUnavailable(error)) return undefined;
      return { kind: 'retry', answer: 'a fault of ours: see the log' };
    }
  }

  /** A refusal that all may share is about this delivery if the channel takes others. */
  function isAboutThis({ lastAnswer, tries }: Row<'outbox'>, outcome: Outcome): boolean {
    if (outcome.kind !== 'unavailable' && outcome.kind !== 'retry') return true;
    if (outcome.kind === 'retry' || outcome.about === 'unknown')
      return tries < MAX_TRIES || accepts;
    // The first such answer says nothing yet of others.
    return outcome.about === 'likely-all' && lastAnswer !== null && accepts;
  }

  /** An unavailable channel pauses, longer each time, and is then tried with a single delivery. */
  function pauseAfter({ id }: Row<'outbox'>, outcome: Outcome): void {
    // Nothing was sent.
    if (outcome.kind === 'later' || outcome.kind === 'obsolete') return;
    suspect = outcome.kind === 'unavailable' && outcome.about !== 'all' ? id : 0;
    accepts = outcome.kind === 'accepted';
    failures = outcome.kind === 'unavailable' ? failures + 1 : 0;
    if (outcome.kind !== 'unavailable') return;
    const pause = pauseMs(failures, MAX_CHANNEL_PAUSE_MS);
    pausedUntil = performance.now() + Math.max(pause, outcome.retryAfterMs ?? 0);
  }

  async function reportFault(outcome: Outcome): Promise<void> {
    const { service } = CHANNELS[channel.name];
    if (outcome.kind === 'accepted') await faults.works(service);
    if (outcome.kind !== 'unavailable') return;
    await faults.failed(service, outcome.answer, { sure: outcome.isLasting });
  }

  /** Without an outcome (not started, or cut off by the stop), it goes back and is no try. */
  async function saveOutcome(
    row: Row<'outbox'>,
    outcome: Outcome | undefined,
    isCounted: boolean,
  ): Promise<void> {
    const now = Date.now();
    if (!outcome) return endClaim(db, row, { nextTryAt: now, tries: row.tries - 1 });
    if (outcome.kind === 'obsolete') return deleteDelivery(db, row.id);
    if (outcome.kind === 'later')
      return endClaim(db, row, { nextTryAt: outcome.at, tries: row.tries - 1 });
    const { kind, answer: lastAnswer } = outcome;
    if (kind === 'accepted') return settle(row, 'accepted', lastAnswer);
    const tried = { id: row.id, channel: row.channel, tries: row.tries, answer: lastAnswer };
    if (kind === 'refused' || (row.tries >= MAX_TRIES && isCounted)) {
      logEvent('error', 'outbox-delivery-failed', tried);
      return settle(row, 'failed', lastAnswer);
    }
    logEvent('warn', 'outbox-attempt-failed', tried);
    const pause = Math.max(0, pausedUntil - performance.now());
    const tries = isCounted ? row.tries : row.tries - 1;
    // Due when the pause ends, or before: all leave in order once the channel works again.
    const wait =
      kind === 'unavailable' && !isCounted
        ? Math.floor(pause)
        : Math.min(Math.ceil(pause) + pauseMs(row.tries), MAX_PAUSE_MS);
    return endClaim(db, row, { lastAnswer, nextTryAt: now + wait, tries });
  }

  /** Stores that the delivery is over, and what its kind makes of that. */
  async function settle(row: Row<'outbox'>, state: 'accepted' | 'failed', lastAnswer: string) {
    await db.transaction().execute(async (trx) => {
      // First, since it locks its subject, as taking a notification back does.
      await kindOf(row)?.settled?.({ db: trx, notify }, row, state === 'accepted');
      await endClaim(trx, row, { state, lastAnswer, settledAt: Date.now() });
    });
  }

  /** Requests already log that the database is unavailable. */
  function logWorkerFault(error: unknown): void {
    if (!isDatabaseUnavailable(error))
      logFault('outbox-worker-failed', error, { channel: channel.name });
  }

  let running = Promise.resolve();
  /** Stops claiming. The delivery in progress is aborted and put back after a while. */
  function stopClaiming(): void {
    isStopped = true;
    hardStopTimer ??= setTimeout(() => hardStop.abort(), QUICK_DEADLINE_MS);
    wake();
  }
  return {
    start(): void {
      running = run();
    },
    wake,
    endPause(): void {
      pausedUntil = 0;
      wake();
    },
    stopClaiming,
    async close(): Promise<void> {
      stopClaiming();
      await running;
      clearTimeout(hardStopTimer);
      channel.close?.();
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeoutAsync(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
