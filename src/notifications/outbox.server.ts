/**
 * A notification is stored in the same transaction as what happened, and delivered from here by one worker for each
 * channel: at least once, in order per topic, by whichever instance is there.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as setTimeoutAsync } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Company } from '../company/company.ts';
import type { Database } from '../platform/database/database.server.ts';
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import { deleteOldMailboxes } from '../platform/message-limits.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { Channel, DeliveryOutcome, NotificationKind } from './notification.server.ts';
import {
  addDeliveries,
  claimNext,
  deleteDelivery,
  deleteSettledBefore,
  endClaim,
  LONGEST_PAUSE_MS,
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
const KEEP_SETTLED_MS = 30 * DAY_MS;
const CLEAN_EVERY_MS = 6 * HOUR_MS;

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
  const workers = channels.map((channel) => createWorker(database, channel, kinds));

  const each = (act: (worker: ReturnType<typeof createWorker>) => void) => {
    for (const worker of workers) act(worker);
  };
  const notify: Notify = async (trx, kind, subjectId, visitor) => {
    if (!kinds.includes(kind)) throw new Error(`no list of kinds has ${kind.kind}`);
    if (channels.length === 0) return;
    const sender =
      visitor === undefined
        ? null
        : createHmac('sha256', senderKey).update(visitor).digest().readInt32BE();
    await addDeliveries(trx, { kind, subjectId, sender, configured, hours });
  };
  return {
    notify,
    /** Wakes the workers once a notification has been committed. */
    wake: () => each(({ wake }) => wake()),
    /** Tries channels that are unavailable now. */
    endPauses: () => each(({ endPause }) => endPause()),
    /** Begins to deliver; for the start, once the database is there. */
    start: async () => each(({ start }) => start()),
    /** Starts nothing new; what is under way may still take FINISH_MS. */
    stopClaiming: () => each(({ stopClaiming }) => stopClaiming()),
    close: async () => void (await Promise.all(workers.map(({ close }) => close()))),
  };
}

export function cleanOutbox(db: Kysely<Tables>): Interval {
  return new Interval('outbox-cleaning', CLEAN_EVERY_MS, async () => {
    await deleteSettledBefore(db, Date.now() - KEEP_SETTLED_MS);
    await deleteOldMailboxes(db);
  });
}

/** Delivers one channel's share of the outbox, one after the other. */
function createWorker(database: Database, channel: Channel, kinds: readonly NotificationKind[]) {
  const { db } = database;
  const cut = new AbortController();
  let cutTimer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = Promise.resolve();
  /** Ends the sleep that comes next, or is under way. */
  let nap = new AbortController();
  /** How often the channel has been unavailable in a row. */
  let failures = 0;
  /** Nothing is sent before, by `performance.now()`. */
  let pausedUntil = 0;

  async function run(): Promise<void> {
    while (!stopped) {
      nap = new AbortController();
      const pause = pausedUntil - performance.now();
      const row = pause > 0 ? undefined : await claim();
      if (row) await deliver(row);
      else await sleep(pause > 0 ? Math.min(pause, POLL_MS) : POLL_MS, nap.signal);
    }
  }

  async function claim(): Promise<Row<'outbox'> | undefined> {
    try {
      return await claimNext(database, channel);
    } catch (error) {
      logUnlessAway(error);
      return undefined;
    }
  }

  async function deliver(row: Row<'outbox'>): Promise<void> {
    pausedUntil = performance.now() + channel.paceMs;
    // The stop may have come while this was being claimed.
    let outcome = stopped ? undefined : await send(row);
    if (cut.signal.aborted && outcome?.kind !== 'accepted') outcome = undefined;
    if (outcome) pauseAfter(outcome);
    // Until it is written down the receiver's answer is known here alone, so a database that is away is waited for.
    for (;;) {
      try {
        return await writeDown(row, outcome);
      } catch (error) {
        logUnlessAway(error);
        if (!isDatabaseUnavailable(error) || cut.signal.aborted) return;
        await sleep(POLL_MS, cut.signal);
      }
    }
  }

  /** Undefined when the database was away, which is no try: the receiver has not been asked. */
  async function send(row: Row<'outbox'>): Promise<DeliveryOutcome | undefined> {
    try {
      const kind = kinds.find((each) => each.kind === row.kind);
      const subject = await kind?.find(db, row.subjectId);
      if (!kind || subject === undefined) return { kind: 'gone' };
      const deadline = AbortSignal.timeout(channel.deadlineMs);
      const signal = AbortSignal.any([cut.signal, deadline]);
      return await channel.deliver(row, { kind, subject }, signal);
    } catch (error) {
      logUnlessAway(error);
      if (isDatabaseUnavailable(error)) return undefined;
      return { kind: 'retry', answer: 'a fault of ours: see the log' };
    }
  }

  /** A channel that is unavailable pauses for longer each time, and is tried with one delivery then. */
  function pauseAfter(outcome: DeliveryOutcome): void {
    failures = outcome.kind === 'unavailable' ? failures + 1 : 0;
    if (outcome.kind !== 'unavailable') return;
    const pause = pauseMs(failures, LONGEST_CHANNEL_PAUSE_MS);
    pausedUntil = performance.now() + Math.max(pause, outcome.retryAfterMs ?? 0);
  }

  /** Without an outcome it was not begun, cut off, or could not be written, which is no try. */
  async function writeDown(
    row: Row<'outbox'>,
    outcome: DeliveryOutcome | undefined,
  ): Promise<void> {
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
    // Not as soon as the channel's pause is over: what failed may lie in this one, and others have their turn first.
    const wait = Math.max(0, Math.ceil(pausedUntil - performance.now())) + pauseMs(tries);
    return endClaim(db, row, { lastAnswer, nextTryAt: now + Math.min(wait, LONGEST_PAUSE_MS) });
  }

  /** Does not log a database that is away: requests do that. */
  function logUnlessAway(error: unknown): void {
    if (!isDatabaseUnavailable(error)) logFault('outbox-fault', error, { channel: channel.name });
  }

  /** Claims nothing any more; what is under way is cut off and put back after FINISH_MS. */
  function stopClaiming(): void {
    stopped = true;
    cutTimer ??= setTimeout(() => cut.abort(), FINISH_MS);
    nap.abort();
  }

  return {
    start() {
      running = run();
    },
    wake: () => nap.abort(),
    endPause() {
      pausedUntil = 0;
      nap.abort();
    },
    stopClaiming,
    async close() {
      stopClaiming();
      await running;
      clearTimeout(cutTimer);
      channel.close();
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeoutAsync(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
