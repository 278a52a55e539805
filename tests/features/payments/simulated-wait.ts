/** How long somebody waits, on timers that a test moves: nothing depends on the machine. */
import { AsyncResource } from 'node:async_hooks';
import { vi } from 'vitest';

const realTimeout = globalThis.setTimeout;
const STEP_MS = 250;
/** Longer than anything that was begun waits: on stopped timers it would wait forever. */
const REST_MS = 120_000;

/** The answer, which must come although no more than so many simulated milliseconds pass. */
export async function answerWithin<Answer>(ms: number, act: () => Promise<Answer>) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
  });
  keepContext();
  try {
    let answered = false;
    const answer = act().finally(() => {
      answered = true;
    });
    for (let passed = 0; passed < ms && !answered; passed += STEP_MS) {
      vi.advanceTimersByTime(STEP_MS);
      await new Promise((resolve) => realTimeout(resolve, 10));
    }
    const late = new Promise<never>((_, reject) =>
      realTimeout(reject, 10_000, new Error(`no answer after ${ms} ms`)),
    );
    return await Promise.race([answer, late]);
  } finally {
    vi.advanceTimersByTime(REST_MS);
    vi.useRealTimers();
  }
}

/** As a real timer, one that is moved runs for whom it was set, and ends with their deadline. */
function keepContext(): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply: (set, self, [act, ...rest]) =>
      Reflect.apply(set, self, [AsyncResource.bind(act), ...rest]),
  });
}
