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
  };
  return {
    start(): void {
      if (stopped) return;
      run();
      timer = setInterval(run, everyMs).unref();
    },
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
