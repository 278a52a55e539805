/** What the server logs, for a test to read. */
import { vi } from 'vitest';

export interface LogLine {
  level: string;
  event: string;
  [detail: string]: unknown;
}

/** The lines that are logged while `act` runs, and shown nowhere else. */
export async function logged(act: () => unknown): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  try {
    await act();
  } finally {
    spy.mockRestore();
  }
  return lines;
}
