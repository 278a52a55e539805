/** Rate limits by client IP address. */
import type { CallLimit } from '../../limits.ts';
import { refuse } from './answer.server.ts';

/** Windows kept per rule. Beyond it the oldest are dropped: memory stays bounded. */
const MAX_WINDOWS = 20_000;

interface Window {
  startedAt: number;
  calls: number;
}

interface Found {
  rule: string;
  key: string;
  lengthMs: number;
  window: Window;
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

  /** Counts a call if the limit allows it, or returns the seconds until it does. */
  take(limit: CallLimit, key: string): number {
    return this.takeAll([[limit, key]]).wait;
  }

  /** Counts a call if all limits allow it (`wait` 0). `giveBack` uncounts it. */
  takeAll(limits: readonly (readonly [CallLimit, string])[]) {
    const windows = limits.flatMap(([limit, key]) => this.#windowsOf(limit, key));
    const wait = Math.max(0, ...windows.map((window) => window.wait));
    const counted = wait > 0 ? [] : windows;
    for (const each of counted) {
      each.window.calls += 1;
      this.#keep(each);
    }
    return {
      wait,
      giveBack() {
        for (const { window } of counted) window.calls -= 1;
      },
    };
  }

  /** Keeps none: a refused call must not push out what others have counted. */
  #windowsOf({ name, rules }: CallLimit, key: string) {
    const now = performance.now();
    return rules.map(([calls, seconds]) => {
      const [rule, lengthMs] = [`${name} ${seconds}`, seconds * 1000];
      const current = this.#windows.get(rule)?.get(key);
      const window =
        current && isRunning(current, lengthMs, now) ? current : { startedAt: now, calls: 0 };
      const full = window.calls >= calls * this.#factor;
      const wait = full ? Math.ceil(seconds - (now - window.startedAt) / 1000) : 0;
      return { rule, key, lengthMs, window, wait };
    });
  }

  #keep({ rule, key, lengthMs, window }: Found): void {
    const windows = this.#windows.get(rule) ?? new Map<string, Window>();
    this.#windows.set(rule, windows);
    if (windows.get(key) === window) return;
    windows.delete(key);
    windows.set(key, window);
    for (const [oldest, each] of windows) {
      if (windows.size <= MAX_WINDOWS && isRunning(each, lengthMs, window.startedAt)) break;
      windows.delete(oldest);
    }
  }
}

function isRunning({ startedAt }: Window, lengthMs: number, now: number): boolean {
  return now < startedAt + lengthMs;
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
