/** Limits on what one visitor's address may ask for. */
import { refuse } from './answer.server.ts';

/** How many calls of one kind a visitor's address may make: each rule counts for itself. */
export interface Limit {
  name: string;
  rules: readonly { calls: number; seconds: number }[];
}

/** Every call that has no limit of its own. */
export const EVERY_CALL: Limit = { name: 'calls', rules: [{ calls: 300, seconds: 60 }] };

/** Of each rule; beyond, the oldest are forgotten, so that many addresses cannot fill the memory. */
const MOST_WINDOWS = 20_000;

interface Window {
  startedAt: number;
  calls: number;
}

/**
 * Counts in this process, in one go: of calls that come at once no more pass than are allowed. A provider who runs
 * several instances divides the limits among them.
 */
export class RateLimits {
  /** One map for each rule, the oldest window first. */
  readonly #windows = new Map<string, Map<string, Window>>();
  /** Calls under way that have taken room and may still give it back, by limit and key. */
  readonly #undecided = new Map<string, Set<Promise<void>>>();
  readonly #times: number;

  /** `times`: how many times as much is allowed as the limits say. */
  constructor(times = 1) {
    this.#times = times;
  }

  /**
   * `wait`: seconds until there is room again; 0 when the call was counted. What is refused counts nothing. `giveBack`
   * takes the count back, of a call that turned out not to be of the kind that is limited.
   */
  take(limit: Limit, key: string) {
    const windows = this.#windowsOf(limit, key);
    const wait = Math.max(...windows.map((each) => each.wait));
    const counted = wait > 0 ? [] : windows;
    for (const { window } of counted) window.calls += 1;
    return {
      wait,
      giveBack() {
        for (const { window } of counted) window.calls -= 1;
      },
    };
  }

  /** Refuses a call before its body is read, when there is no room and none can be given back. */
  refuseEarly(limit: Limit, key: string): Response | undefined {
    if (this.#undecided.has(placeOf(limit, key))) return undefined;
    const wait = Math.max(...this.#windowsOf(limit, key).map((each) => each.wait));
    if (wait === 0) return undefined;
    this.take(EVERY_CALL, key);
    return refuseTooMany(wait);
  }

  /**
   * Answers a call of a limit that only accepted calls use up. What is refused counts toward EVERY_CALL; beyond that it
   * uses the allowance up too, or it would cost its sender nothing.
   */
  async spend(
    limit: Limit,
    key: string,
    answering: (accept: () => void) => Promise<Response>,
  ): Promise<Response> {
    const place = placeOf(limit, key);
    const { wait, giveBack } = await this.#takeWhenDecided(limit, key, place);
    if (wait > 0) {
      this.take(EVERY_CALL, key);
      return refuseTooMany(wait);
    }
    const decided = Promise.withResolvers<void>();
    const undecided = this.#undecided.get(place) ?? new Set();
    this.#undecided.set(place, undecided.add(decided.promise));
    let accepted = false;
    let beyond = 0;
    const countRefused = () => {
      beyond = accepted ? 0 : this.take(EVERY_CALL, key).wait;
      if (!accepted && beyond === 0) giveBack();
    };
    try {
      const response = await answering(() => {
        accepted = true;
      }).finally(countRefused);
      return beyond > 0 ? refuseTooMany(beyond) : response;
    } finally {
      undecided.delete(decided.promise);
      if (undecided.size === 0) this.#undecided.delete(place);
      decided.resolve();
    }
  }

  /** When there is no room, waits for calls under way: those that are refused leave theirs. */
  async #takeWhenDecided(limit: Limit, key: string, place: string) {
    for (;;) {
      const taken = this.take(limit, key);
      const undecided = this.#undecided.get(place);
      if (taken.wait === 0 || !undecided) return taken;
      await Promise.race(undecided);
    }
  }

  #windowsOf({ name, rules }: Limit, key: string) {
    const now = Date.now();
    return rules.map(({ calls, seconds }) => {
      const window = this.#window(`${name} ${seconds}`, key, seconds * 1000, now);
      const full = window.calls >= calls * this.#times;
      return { window, wait: full ? Math.ceil(seconds - (now - window.startedAt) / 1000) : 0 };
    });
  }

  /** The window that is open for this key; a new one when there is none, or nothing counts in it. */
  #window(rule: string, key: string, lengthMs: number, now: number): Window {
    const windows = this.#windows.get(rule) ?? new Map<string, Window>();
    this.#windows.set(rule, windows);
    const known = windows.get(key);
    if (known && known.calls > 0 && isOpen(known, lengthMs, now)) return known;
    const window = { startedAt: now, calls: 0 };
    windows.delete(key);
    windows.set(key, window);
    for (const [oldest, each] of windows) {
      if (windows.size <= MOST_WINDOWS && isOpen(each, lengthMs, now)) break;
      windows.delete(oldest);
    }
    return window;
  }
}

/** One that begins in the future was opened before the clock was set back, and would last too long. */
function isOpen({ startedAt }: Window, lengthMs: number, now: number): boolean {
  return startedAt <= now && now < startedAt + lengthMs;
}

function placeOf({ name }: Limit, key: string): string {
  return `${name} ${key}`;
}

export function refuseTooMany(wait: number): Response {
  return refuse(429, `Too many requests. ${tryAgain(wait)}`, { retryAfter: wait });
}

/** 'Please try again in 42 seconds.' */
export function tryAgain(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const wait = seconds < 90 ? plural(seconds, 'second') : plural(minutes, 'minute');
  return `Please try again in ${wait}.`;
}

function plural(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
