import { setTimeout } from 'node:timers/promises';
import { logFault } from '../log.server.ts';
import { isDatabaseAway } from './database-away.server.ts';

const RETRY_MS = 500;

/**
 * Does each step once, in order: now when the database is there, else as soon as it is. Rejects when the first attempt
 * fails for another reason.
 */
export async function whenDatabaseReady(steps: readonly (() => Promise<void>)[]) {
  const left = [...steps];
  const stopped = new AbortController();
  const { signal } = stopped;

  async function attempt(): Promise<void> {
    for (let [next] = left; next && !signal.aborted; [next] = left) {
      await next();
      left.shift();
    }
  }

  async function retry(): Promise<void> {
    while (left.length > 0 && !signal.aborted) {
      await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await attempt().catch((error: unknown) => {
        if (!isDatabaseAway(error)) logFault('start-not-finished', error);
      });
    }
  }

  await attempt().catch((error: unknown) => {
    if (!isDatabaseAway(error)) throw error;
  });
  const retrying = retry();
  return {
    isDone: () => left.length === 0,
    stop() {
      stopped.abort();
      return retrying;
    },
  };
}
