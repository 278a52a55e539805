/** Work that is looked for from time to time, from its start until it is stopped; never twice at once in a process. */
import { isDatabaseAway } from './database/database-away.server.ts';
import { logFault } from './log.server.ts';

export type Work = ReturnType<typeof fromTimeToTime>;

/** `what` names its faults in the log. */
export function fromTimeToTime(
  what: string,
  everyMs: number,
  act: (isStopped: () => boolean) => Promise<void>,
) {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= act(() => stopped)
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) logFault(what, error);
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    /** Done when it has been looked for the first time. */
    async start(): Promise<void> {
      if (stopped) return;
      timer = setInterval(run, everyMs).unref();
      await run();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** One after the other, so that they share one connection to the database and do not open one each. */
export async function startInTurn(works: readonly Work[]): Promise<void> {
  for (const work of works) await work.start();
}
