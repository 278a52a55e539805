/** What the outbox needs of a way to reach people, and how long it waits after a failure. */
import type { Row } from '../platform/database/tables.server.ts';
import type { ChannelName } from './delivery.ts';
import type { Notification } from './notification-kind.server.ts';

export type Outcome =
  /** `answer` is what the receiver said, for staff to read; it holds no secret. */
  | { kind: 'accepted'; answer: string }
  /** `final`: the receiver refuses this message and would refuse it again. */
  | { kind: 'failed'; answer: string; retryAfterMs?: number; final?: boolean }
  /** What it is about, or the address it goes to, has been deleted since. */
  | { kind: 'gone' };

export interface Channel {
  name: ChannelName;
  /** How many deliveries may be under way at once in one process. */
  atOnce: number;
  /** The least time between two deliveries, all instances together; null: it knows no pace and no pauses. */
  paceMs: number | null;
  /** A delivery that takes longer is given up. */
  deadlineMs: number;
  /** A caller who aborts wants to stop soon. Throws for bugs only. */
  deliver(row: Row<'outbox'>, notification: Notification, stop: AbortSignal): Promise<Outcome>;
  close(): void;
}

/**
 * So long after its deadline a delivery counts as abandoned, and another instance may take it: time to write down
 * what came of it, and for clocks that differ.
 */
export const LEASE_MARGIN_MS = 5_000;
export const MOST_TRIES = 12;

const FIRST_PAUSE_MS = 1_000;
const GROWTH = 2.5;
/** Also when a receiver asks for more. */
export const LONGEST_PAUSE_MS = 60 * 60 * 1000;
/** A quarter more or less of each pause is by chance. */
const CHANCE = 1 / 4;
/** Nothing waits for longer by a clock that is right, or by two that differ. */
export const LONGEST_WAIT_MS = LONGEST_PAUSE_MS * (1 + CHANCE) + LEASE_MARGIN_MS;

/**
 * Milliseconds to wait after the given number of failed tries: 1 s growing to an hour, some three hours over
 * all twelve, a quarter more or less by chance so that what failed together does not come back together.
 */
export function pauseMs(tries: number): number {
  const pause = Math.min(FIRST_PAUSE_MS * GROWTH ** (tries - 1), LONGEST_PAUSE_MS);
  return Math.round(pause * (1 - CHANCE + Math.random() * 2 * CHANCE));
}
