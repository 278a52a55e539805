/** Work that many ask for at once, done once for all of them. */
import { setTimeout } from 'node:timers/promises';

interface Slot<Result> {
  /** Settles when the next run may start. */
  free: Promise<void>;
  /** The run of those who have come since this one started. */
  next?: Promise<Result>;
}

/** At most one run per key at a time. Callers during a run share the next one. */
export class SharedRuns<Key, Result> {
  readonly #pauseAfter: (result: Result) => number;
  readonly #slots = new Map<Key, Slot<Result>>();

  /** `pauseAfter`: milliseconds from a run's result to the next run with the same key. */
  constructor(pauseAfter: (result: Result) => number = () => 0) {
    this.#pauseAfter = pauseAfter;
  }

  run(key: Key, act: () => Promise<Result>): Promise<Result> {
    const slot = this.#slots.get(key);
    if (!slot) return this.#start(key, act);
    slot.next ??= slot.free.then(() => this.#start(key, act));
    return slot.next;
  }

  #start(key: Key, act: () => Promise<Result>): Promise<Result> {
    const running = act();
    const slot: Slot<Result> = { free: this.#pause(running) };
    this.#slots.set(key, slot);
    void slot.free.then(() => {
      if (!slot.next) this.#slots.delete(key);
    });
    return running;
  }

  async #pause(running: Promise<Result>): Promise<void> {
    const [ended] = await Promise.allSettled([running]);
    const pauseMs = ended.status === 'fulfilled' ? this.#pauseAfter(ended.value) : 0;
    if (pauseMs > 0) await setTimeout(pauseMs, undefined, { ref: false });
  }
}
