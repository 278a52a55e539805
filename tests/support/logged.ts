/** Captures the server's log for a test. */
import { vi } from 'vitest';
import { resetLogLimit } from '../../src/platform/log.server.ts';

interface LogLine {
  level: string;
  event: string;
  [detail: string]: unknown;
}

/** Returns the lines logged while `act` runs, and keeps them off stderr. */
export async function logged(act: () => unknown): Promise<LogLine[]> {
  const log = captureLog();
  try {
    await act();
  } finally {
    log.restore();
  }
  return log.lines;
}

/** Captures lines until `restore()` or the test's end; none is left out as a repeat. */
export function captureLog(): { lines: LogLine[]; restore(): void } {
  resetLogLimit();
  const lines: LogLine[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  return { lines, restore: () => spy.mockRestore() };
}
