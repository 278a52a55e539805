/** The server's own log: one JSON line per event on standard error, for people and for log collectors. */
export function logEvent(
  level: 'info' | 'warn' | 'error',
  event: string,
  details: object = {},
): void {
  if (isTooOften(event)) return;
  write(level, event, details);
}

/** An attack must not fill the disk with what is said about it. */
const MOST_OF_ONE_EVENT = 50;
const SPAN_MS = 10_000;
let span = { endsAt: 0, lines: new Map<string, number>() };

/** Resets the count, as at the start of the process; for tests, which share a process. */
export function resetLogLimit(): void {
  span = { endsAt: 0, lines: new Map() };
}

function isTooOften(event: string): boolean {
  const now = performance.now();
  if (now > span.endsAt) {
    for (const [name, lines] of span.lines)
      if (lines > MOST_OF_ONE_EVENT)
        write('warn', 'log-lines-left-out', { of: name, lines: lines - MOST_OF_ONE_EVENT });
    span = { endsAt: now + SPAN_MS, lines: new Map() };
  }
  const lines = (span.lines.get(event) ?? 0) + 1;
  span.lines.set(event, lines);
  return lines > MOST_OF_ONE_EVENT;
}

function write(level: string, event: string, details: object): void {
  process.stderr.write(
    `${JSON.stringify({ at: new Date().toISOString(), level, event, ...details })}\n`,
  );
}

/** Logs something that should not have happened, with its stack. */
export function logFault(event: string, error: unknown, details: object = {}): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  logEvent('error', event, { ...details, message, stack });
}
