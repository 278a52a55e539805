/** The answers of calls: JSON, refusals, and faults. */
import { isDatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { logEvent, logFault } from '../log.server.ts';

export interface FieldError {
  path: string;
  message: string;
}

export const HTML_TYPE = { 'Content-Type': 'text/html; charset=utf-8' };
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** What a handler returns to add headers to its answer. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: [string, string][];

  constructor(body: Body, headers: [string, string][]) {
    this.body = body;
    this.headers = headers;
  }
}

/** Makes a response of a handler's result; null becomes 204. `registerCalls` adds the headers that all calls share. */
export function toResponse(result: unknown, status = 200): Response {
  if (result instanceof Response) return result;
  if (result instanceof WithHeaders) return sendJson(result.body, status, result.headers);
  return sendJson(result, status);
}

export function sendJson(
  body: unknown,
  status = 200,
  headers: readonly [string, string][] = [],
): Response {
  if (body === null) return new Response(null, { status: 204, headers: [...headers] });
  return new Response(JSON.stringify(body), {
    status,
    headers: [...Object.entries(JSON_TYPE), ...headers],
  });
}

/** Answers `{message, errors?}`. `retryAfter`: seconds, for 429 and 503. */
export function refuse(
  status: number,
  message: string,
  more: { errors?: FieldError[]; retryAfter?: number; headers?: Record<string, string> } = {},
): Response {
  const { errors, retryAfter, headers } = more;
  const own = Object.entries(headers ?? {});
  if (retryAfter !== undefined) own.push(['Retry-After', String(retryAfter)]);
  return sendJson({ message, ...(errors ? { errors } : {}) }, status, own);
}

/** 400 about a single field. */
export function refuseField(path: string, message: string): Response {
  return refuse(400, message, { errors: [{ path, message }] });
}

/** For the log: a path may have thousands of characters. */
const MAX_PATH = 200;

/** Logs an error that no call expected, and answers 500, or 503 when the database is unavailable. */
export function answerFault(
  error: unknown,
  wholePath: string,
  headers: Record<string, string>,
): Response {
  const path = wholePath.slice(0, MAX_PATH);
  if (isDatabaseUnavailable(error)) {
    logEvent('warn', 'database-away', { path, message: String(error) });
    return refuse(503, 'The service is unavailable right now. Please try again.', {
      retryAfter: 5,
      headers,
    });
  }
  logFault('call-failed', error, { path });
  return refuse(500, 'Something went wrong on our end. Please try again.', { headers });
}
