/**
 * The site's own calls: JSON in, JSON out, with cookies. An answer that is not ok becomes a `CallError`
 * whose text is '<status>: <body>' and whose `reason` is what the server wants the user to read.
 */
import { fields, list, or, parseJson, type Reader, text } from './read.ts';

export class CallError extends Error {
  readonly status: number;
  readonly body: string;
  /** '' when the server gives none. */
  readonly reason: string;
  readonly errors: readonly { path: string; message: string }[];

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'CallError';
    this.status = status;
    this.body = body;
    const refusal = readRefusal(parseJson(body));
    this.reason = refusal.message;
    this.errors = refusal.errors;
  }
}

const readRefusal = or(
  fields<Pick<CallError, 'errors'> & { message: string }>({
    message: or(text, ''),
    errors: or(list(fields<{ path: string; message: string }>({ path: text, message: text })), []),
  }),
  { message: '', errors: [] },
);

interface CallOptions {
  method?: 'GET' | 'POST';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** With 'null', an answer of 401 is read as null. */
  unauthorized?: 'error' | 'null';
}

/**
 * Sends one call and reads its JSON; an answer without a body is read as undefined. Throws a CallError, offline a TypeError,
 * and a SyntaxError for an answer that cannot be read.
 */
export async function fetchJson<Answer>(
  url: string,
  read: Reader<Answer>,
  options: CallOptions = {},
): Promise<Answer> {
  const { method = 'GET', body, headers, signal, unauthorized = 'error' } = options;
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const received = await response.text();
  const signedOut = response.status === 401 && unauthorized === 'null';
  if (!response.ok && !signedOut)
    throw new CallError(response.status, response.statusText, received);
  const json = signedOut ? null : received === '' ? undefined : JSON.parse(received);
  const answer = read(json);
  if (answer === undefined) throw new SyntaxError(`${url} gave an answer that cannot be read`);
  return answer;
}
