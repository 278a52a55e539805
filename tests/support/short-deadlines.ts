import { vi } from 'vitest';

/** Until the end of the test, deadlines of seconds are a twentieth as long. */
export function shortenDeadlines(): void {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms / 20));
}
