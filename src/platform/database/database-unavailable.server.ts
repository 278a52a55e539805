/** The error of a database that cannot be used for now, and how the start waits for it. */
import { setTimeout } from 'node:timers/promises';
import type { DatabaseConnection } from 'kysely';
import { reason } from '../config/cannot-start.server.ts';
import { logFault } from '../log.server.ts';

/** Thrown for a driver's error by the code that talks to it: elsewhere the same code is a bug. */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(reason(cause), { cause });
  }
}

/** Whether the database is unavailable (the caller gets 503), rather than that there is a bug. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof DatabaseUnavailable;
}

/** For Kysely's `onCreateConnection`. `rethrow` turns the driver's errors into this one. */
export async function markErrors(
  connection: DatabaseConnection,
  rethrow: (error: unknown) => never,
): Promise<void> {
  const execute = connection.executeQuery.bind(connection);
  connection.executeQuery = <R>(...query: Parameters<typeof execute>) =>
    execute<R>(...query).catch(rethrow);
}

const RETRY_MS = 500;

/** Runs each step once, in order; while the database is down, retries in the background. */
export async function whenDatabaseReady(steps: readonly (() => Promise<void>)[]) {
  const remaining = [...steps];
  const stopped = new AbortController();
  const { signal } = stopped;

  async function attempt(): Promise<void> {
    for (let [next] = remaining; next && !signal.aborted; [next] = remaining) {
      await next();
      remaining.shift();
    }
  }

  async function retry(): Promise<void> {
    while (remaining.length > 0 && !signal.aborted) {
      await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await attempt().catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) logFault('start-step-failed', error);
      });
    }
  }

  await attempt().catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
  });
  const retrying = retry();
  return {
    isDone: () => remaining.length === 0,
    stop() {
      stopped.abort();
      return retrying;
    },
  };
}
