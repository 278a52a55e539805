/** The server's own log: one JSON line per event on standard error. */
export function logEvent(
  level: 'info' | 'warn' | 'error',
  event: string,
  details: object = {},
): void {
  if (isTooOften(event)) return;
  write(level, event, details);
}

/** Lines per event and period: an attack must not fill the disk with log lines. */
const MAX_LINES_PER_EVENT = 50;
const PERIOD_MS = 10_000;
let period = { endsAt: 0, lines: new Map<string, number>() };

/** For tests, which share a process. */
export function resetLogLimit(): void {
  period = { endsAt: 0, lines: new Map() };
}

function isTooOften(event: string): boolean {
  const now = performance.now();
  if (now > period.endsAt) {
    for (const [name, lines] of period.lines)
      if (lines > MAX_LINES_PER_EVENT)
        write('warn', 'log-lines-left-out', { of: name, lines: lines - MAX_LINES_PER_EVENT });
    period = { endsAt: now + PERIOD_MS, lines: new Map() };
  }
  const lines = (period.lines.get(event) ?? 0) + 1;
  period.lines.set(event, lines);
  return lines > MAX_LINES_PER_EVENT;
}

function write(level: string, event: string, details: object): void {
  process.stderr.write(
    `${JSON.stringify({ at: new Date().toISOString(), level, event, ...details })}\n`,
  );
}

/** Logs a bug, with its stack. */
export function logFault(event: string, error: unknown, details: object = {}): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  logEvent('error', event, { ...details, message, stack });
}
