/** Calls counted by key within windows of time, in a bounded memory: anybody may come from many addresses. */

/** Beyond so many keys the one whose window began first is forgotten; a megabyte or two. */
const MOST_KEYS = 20_000;

interface Window {
  calls: number;
  /** By the clock of `performance.now()`, which nobody sets. */
  endsAt: number;
}

export class CountedCalls {
  readonly #most: number;
  readonly #windowMs: number;
  /** In the order in which their windows began, which is that in which they end. */
  readonly #windows = new Map<string, Window>();

  /** `most` calls within `seconds` from the first of them. */
  constructor(most: number, seconds: number) {
    this.#most = most;
    this.#windowMs = seconds * 1000;
  }

  /** The seconds to wait when the key has had all its calls, else 0. */
  wait(key: string): number {
    const window = this.#open(key);
    if (!window || window.calls < this.#most) return 0;
    return Math.max(1, Math.ceil((window.endsAt - performance.now()) / 1000));
  }

  count(key: string): void {
    const window = this.#open(key);
    if (window) {
      window.calls += 1;
      return;
    }
    // Another place in the order than that of the window which has ended.
    this.#windows.delete(key);
    this.#windows.set(key, { calls: 1, endsAt: performance.now() + this.#windowMs });
    this.#forget();
  }

  giveBack(key: string): void {
    const window = this.#open(key);
    if (window) window.calls -= 1;
  }

  #open(key: string): Window | undefined {
    const window = this.#windows.get(key);
    return window && window.endsAt > performance.now() ? window : undefined;
  }

  #forget(): void {
    const now = performance.now();
    for (const [key, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size <= MOST_KEYS) return;
      this.#windows.delete(key);
    }
  }
}
