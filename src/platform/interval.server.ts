/** Background work: at start, then at an interval, never twice at once in this process. */
import { isDatabaseUnavailable } from './database/database-unavailable.server.ts';
import { logFault } from './log.server.ts';

export class Interval {
  readonly #name: string;
  readonly #everyMs: number;
  readonly #work: (isStopped: () => boolean) => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** `name`: the log event for faults. */
  constructor(name: string, everyMs: number, work: (isStopped: () => boolean) => Promise<void>) {
    this.#name = name;
    this.#everyMs = everyMs;
    this.#work = work;
  }

  /** Resolves after the first run. */
  async start(): Promise<void> {
    if (this.#stopped) return;
    this.#timer = setInterval(() => this.#run(), this.#everyMs).unref();
    await this.#run();
  }

  /** Waits for a run in progress. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): Promise<void> {
    this.#running ??= this.#work(() => this.#stopped)
      .catch((error: unknown) => {
        // database.server.ts has already logged that the database is unavailable.
        if (!isDatabaseUnavailable(error)) logFault(this.#name, error);
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

/** Starts one after the other, so that they share one database connection. */
export async function startSequentially(intervals: readonly Interval[]): Promise<void> {
  for (const interval of intervals) await interval.start();
}

/** Logs a fault in one item of a batch, which `about` identifies, so that the others go on. */
export async function logFailure<Done>(
  name: string,
  about: Record<string, unknown>,
  act: () => Promise<Done>,
): Promise<Done | undefined> {
  try {
    return await act();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    logFault(name, error, about);
    return undefined;
  }
}
