import { Socket } from 'node:net';
import { setTimeout as later } from 'node:timers';
import { vi } from 'vitest';

/** Until the end of the test, deadlines of seconds are a twentieth as long. */
export function shortenDeadlines(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20));
  // Those of a mail server: nodemailer's of the greeting, and of its silence.
  const silence = Socket.prototype.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((act, ms = 0, ...given: []) =>
    later(act, ms / 20, ...given),
  );
  vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, act) {
    return silence.call(this, ms / 20, act);
  });
}
