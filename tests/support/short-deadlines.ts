import { vi } from 'vitest';

/** Until the end of the test, what has a deadline of seconds is given up after a twentieth of it. */
export function shortenDeadlines(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20));
}
