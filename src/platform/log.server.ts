/** The server's own log: one JSON line per event on standard error. */
import { tryGetContext } from 'hono/context-storage';
import type { RequestIdVariables } from 'hono/request-id';
import { LOG_PERIOD_MS, MAX_LINES_PER_EVENT } from '../limits.ts';

/** How often each event has happened since the start, for /metrics. */
export const eventCounts = new Map<string, { level: string; event: string; count: number }>();

export function logEvent(
  level: 'info' | 'warn' | 'error',
  event: string,
  details: object = {},
): void {
  const name = `${level} ${event}`;
  const counted = eventCounts.get(name) ?? { level, event, count: 0 };
  counted.count += 1;
  eventCounts.set(name, counted);
  if (isTooOften(event)) return;
  write(level, event, details);
}

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
        write('warn', 'log-lines-suppressed', { of: name, lines: lines - MAX_LINES_PER_EVENT });
    period = { endsAt: now + LOG_PERIOD_MS, lines: new Map() };
  }
  const lines = (period.lines.get(event) ?? 0) + 1;
  period.lines.set(event, lines);
  return lines > MAX_LINES_PER_EVENT;
}

function write(level: string, event: string, details: object): void {
  const line = { at: new Date().toISOString(), level, event, request: requestId(), ...details };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** The answer's X-Request-Id, in lines until then. Later work has none. */
function requestId(): string | undefined {
  const context = tryGetContext<{ Variables: RequestIdVariables }>();
  return context?.finalized ? undefined : context?.var.requestId;
}

export function logFault(event: string, error: unknown, details: object = {}): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  logEvent('error', event, { ...details, message, stack });
}
