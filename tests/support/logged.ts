/** What the server logs, for a test to read. */
import { vi } from 'vitest';
import { forgetLoggedLines } from '../../src/platform/log.server.ts';

export interface LogLine {
  level: string;
  event: string;
  [detail: string]: unknown;
}

/** The lines that are logged while `act` runs, and shown nowhere else. */
export async function logged(act: () => unknown): Promise<LogLine[]> {
  const log = catchLog();
  try {
    await act();
  } finally {
    log.letGo();
  }
  return log.lines;
}

/** The lines that are logged until it is let go. What other tests have logged leaves nothing out of them. */
export function catchLog(): { lines: LogLine[]; letGo(): void } {
  forgetLoggedLines();
  const lines: LogLine[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  return { lines, letGo: () => spy.mockRestore() };
}
