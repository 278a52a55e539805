/** The server's own log: one JSON line per event on standard error, for people and for log collectors. */
export function logEvent(
  level: 'info' | 'warn' | 'error',
  event: string,
  details: object = {},
): void {
  process.stderr.write(
    `${JSON.stringify({ at: new Date().toISOString(), level, event, ...details })}\n`,
  );
}

/** Logs something that should not have happened, with its stack. */
export function logFault(event: string, error: unknown, details: object = {}): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  logEvent('error', event, { ...details, message, stack });
}
