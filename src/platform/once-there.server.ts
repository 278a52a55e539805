/** What is to be done once with the database: at the start when it is there, else as soon as it is. */
import { setTimeout } from 'node:timers/promises';
import { isDatabaseAway } from './database/database-away.server.ts';
import { logFault } from './log.server.ts';

const AGAIN_MS = 500;

/** Each step follows the one before it and is done once. Rejects when the first attempt fails for another reason. */
export async function onceThere(steps: readonly (() => Promise<void>)[]) {
  const left = [...steps];
  const stop = new AbortController();
  const { signal } = stop;

  async function goOn(): Promise<void> {
    for (let [next] = left; next && !signal.aborted; [next] = left) {
      await next();
      left.shift();
    }
  }

  async function tryAgain(): Promise<void> {
    while (left.length > 0 && !signal.aborted) {
      await setTimeout(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await goOn().catch((error: unknown) => {
        if (!isDatabaseAway(error)) logFault('start-not-finished', error);
      });
    }
  }

  await goOn().catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
  });
  const trying = tryAgain();
  return {
    done: () => left.length === 0,
    stop() {
      stop.abort();
      return trying;
    },
  };
}
