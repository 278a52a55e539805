/** What a call answers: JSON, a refusal in words, or that something has failed. */
import { isDatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { logEvent, logFault } from '../log.server.ts';

export interface FieldError {
  path: string;
  message: string;
}

export const HTML_TYPE = { 'Content-Type': 'text/html; charset=utf-8' };
export const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** An answer with headers of its own. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: [string, string][];

  constructor(body: Body, headers: [string, string][]) {
    this.body = body;
    this.headers = headers;
  }
}

/** What a handler gives, as it is sent: null without a body. Headers of every answer under /api are added by `registerCalls`. */
export function toResponse(given: unknown, status = 200): Response {
  if (given instanceof Response) return given;
  if (given instanceof WithHeaders) return sendJson(given.body, status, given.headers);
  return sendJson(given, status);
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

/** `{message, errors?}` with its status; `retryAfter` in seconds goes with 429 and 503. */
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

/** 400 that is about one field. */
export function refuseField(path: string, message: string): Response {
  return refuse(400, message, { errors: [{ path, message }] });
}

/** A path may have thousands of characters, and each refused request has one. */
const LONGEST_PATH = 200;

export function refuseFault(
  error: unknown,
  wholePath: string,
  headers: Record<string, string>,
): Response {
  const path = wholePath.slice(0, LONGEST_PATH);
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
