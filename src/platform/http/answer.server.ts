/** The answers of calls: JSON, refusals, and faults. */
import { isDatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { logEvent, logFault } from '../log.server.ts';

export interface FieldError {
  path: string;
  message: string;
}

export const HTML_TYPE = { 'Content-Type': 'text/html; charset=utf-8' };
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** Null becomes 204. `registerCalls` adds the headers that all calls share. */
export function sendJson(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Response {
  if (body === null) return new Response(null, { status: 204, headers });
  return new Response(JSON.stringify(body), { status, headers: { ...JSON_TYPE, ...headers } });
}

interface Refusal {
  errors?: FieldError[];
  /** Seconds, for 429 and 503. */
  retryAfter?: number;
  headers?: Record<string, string>;
  /** With 409: what the request was decided on, as it is now. */
  now?: unknown;
}

/** Answers `{message, errors?, now?}`. */
export function refuse(
  status: number,
  message: string,
  { errors, retryAfter, headers, now }: Refusal = {},
): Response {
  return sendJson({ message, errors, now }, status, {
    ...headers,
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  });
}

export function refuseField(path: string, message: string): Response {
  return refuse(400, message, { errors: [{ path, message }] });
}

/** For the log: a path may have thousands of characters. */
const MAX_PATH = 200;

/** Logs the error and answers 500, or 503 without a database. */
export function answerFault(
  error: unknown,
  wholePath: string,
  headers: Record<string, string>,
): Response {
  const path = wholePath.slice(0, MAX_PATH);
  if (isDatabaseUnavailable(error)) {
    logEvent('warn', 'database-unavailable', { path, message: String(error) });
    return refuse(503, 'The service is unavailable right now. Please try again.', {
      retryAfter: 5,
      headers,
    });
  }
  logFault('call-failed', error, { path });
  return refuse(500, 'Something went wrong on our end. Please try again.', { headers });
}
