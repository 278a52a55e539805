/** Rate limits by client IP address. */
import { type CallLimit, EVERY_CALL } from '../../limits.ts';
import { refuse } from './answer.server.ts';

/** Windows kept per rule. Beyond it the oldest are dropped: memory stays bounded. */
const MAX_WINDOWS = 20_000;

interface Window {
  startedAt: number;
  calls: number;
}

/** Counts in this process, synchronously, so that concurrent calls cannot exceed a limit. */
export class RateLimits {
  /** By rule, then by key; the oldest window first. */
  readonly #windows = new Map<string, Map<string, Window>>();
  readonly #factor: number;

  /** `factor` multiplies every limit. */
  constructor(factor = 1) {
    this.#factor = factor;
  }

  /** Seconds until the limit allows another call; 0 when it does now. */
  wait(limit: CallLimit, key: string): number {
    return Math.max(...this.#windowsOf(limit, key).map((window) => window.wait));
  }

  /** Counts a call if the limit allows it (`wait` 0). `giveBack` undoes the count. */
  take(limit: CallLimit, key: string) {
    const windows = this.#windowsOf(limit, key);
    const wait = Math.max(...windows.map((window) => window.wait));
    const counted = wait > 0 ? [] : windows;
    for (const { window } of counted) window.calls += 1;
    return {
      wait,
      giveBack() {
        for (const { window } of counted) window.calls -= 1;
      },
    };
  }

  /**
   * Other requests count toward EVERY_CALL, and beyond that toward this limit too: otherwise
   * invalid requests would cost their sender nothing.
   */
  async answerLimited(
    limit: CallLimit,
    key: string,
    answer: (countTowardLimit: () => void) => Promise<Response>,
  ): Promise<Response> {
    const { wait, giveBack } = this.take(limit, key);
    if (wait > 0) return this.refuse(wait, key);
    let counts = false;
    let everyCallWait = 0;
    const response = await answer(() => {
      counts = true;
    }).finally(() => {
      everyCallWait = counts ? 0 : this.take(EVERY_CALL, key).wait;
      if (!counts && everyCallWait === 0) giveBack();
    });
    return everyCallWait > 0 ? refuseTooMany(everyCallWait) : response;
  }

  /** Refuses a call over its own limit; the call still counts toward EVERY_CALL. */
  refuse(wait: number, key: string): Response {
    this.take(EVERY_CALL, key);
    return refuseTooMany(wait);
  }

  #windowsOf({ name, rules }: CallLimit, key: string) {
    const now = performance.now();
    return rules.map(([calls, seconds]) => {
      const window = this.#window(`${name} ${seconds}`, key, seconds * 1000, now);
      const full = window.calls >= calls * this.#factor;
      return { window, wait: full ? Math.ceil(seconds - (now - window.startedAt) / 1000) : 0 };
    });
  }

  /** The key's current window; a new one when it has expired or has no calls. */
  #window(rule: string, key: string, lengthMs: number, now: number): Window {
    const windows = this.#windows.get(rule) ?? new Map<string, Window>();
    this.#windows.set(rule, windows);
    const current = windows.get(key);
    if (current && current.calls > 0 && isRunning(current, lengthMs, now)) return current;
    const window = { startedAt: now, calls: 0 };
    windows.delete(key);
    windows.set(key, window);
    for (const [oldest, each] of windows) {
      if (windows.size <= MAX_WINDOWS && isRunning(each, lengthMs, now)) break;
      windows.delete(oldest);
    }
    return window;
  }
}

function isRunning({ startedAt }: Window, lengthMs: number, now: number): boolean {
  return now < startedAt + lengthMs;
}

function refuseTooMany(wait: number): Response {
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
