/** Work that is done at the start and then at an interval until it is stopped; never twice at once in a process. */
import { isDatabaseUnavailable } from './database/database-unavailable.server.ts';
import { logFault } from './log.server.ts';

export class Interval {
  readonly #name: string;
  readonly #everyMs: number;
  readonly #work: (isStopped: () => boolean) => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  /** `name`: the event under which faults are logged. */
  constructor(name: string, everyMs: number, work: (isStopped: () => boolean) => Promise<void>) {
    this.#name = name;
    this.#everyMs = everyMs;
    this.#work = work;
  }

  /** Resolves when the work has been done for the first time. */
  async start(): Promise<void> {
    if (this.#stopped) return;
    this.#timer = setInterval(() => this.#run(), this.#everyMs).unref();
    await this.#run();
  }

  /** Waits for work that is under way. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  #run(): Promise<void> {
    this.#running ??= this.#work(() => this.#stopped)
      .catch((error: unknown) => {
        // A database that is away has been logged where that was found.
        if (!isDatabaseUnavailable(error)) logFault(this.#name, error);
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}

/** One after the other, so that they share one connection to the database and do not open one each. */
export async function startSequentially(intervals: readonly Interval[]): Promise<void> {
  for (const interval of intervals) await interval.start();
}

/** One item that cannot be dealt with, now or ever, must not keep the others waiting; `about` says which in the log. */
export async function isolated(
  name: string,
  about: Record<string, unknown>,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    logFault(name, error, about);
  }
}
