/**
 * The site's own calls: JSON in, JSON out, with cookies. An answer that is not ok becomes a `CallError`
 * whose text is '<status>: <body>' and whose `reason` is what the server wants the user to read.
 */
export class CallError extends Error {
  readonly status: number;
  readonly body: string;
  readonly reason: string | undefined;
  readonly errors: readonly { path: string; message: string }[];

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'CallError';
    this.status = status;
    this.body = body;
    const refusal = readRefusal(body);
    this.reason = refusal.message;
    this.errors = refusal.errors ?? [];
  }
}

interface Refusal {
  message?: string;
  errors?: { path: string; message: string }[];
}

function readRefusal(body: string): Refusal {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}

interface CallOptions {
  method?: 'GET' | 'POST';
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** What an answer of 401 becomes. */
  unauthorized?: 'error' | 'null';
}

/** Sends one call and reads its JSON; an answer without a body gives null. Throws a CallError or, offline, a TypeError. */
export async function fetchJson<Answer>(url: string, options: CallOptions = {}): Promise<Answer> {
  const { method = 'GET', body, headers, signal, unauthorized = 'error' } = options;
  const response = await fetch(url, {
    method,
    credentials: 'include',
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
  const text = await response.text();
  if (response.status === 401 && unauthorized === 'null') return null as Answer;
  if (!response.ok) throw new CallError(response.status, response.statusText, text);
  return text === '' ? (null as Answer) : JSON.parse(text);
}
