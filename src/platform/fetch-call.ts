/** Makes the site's calls. A refusal is a `CallError` with the server's `reason` for users. */
import * as z from 'zod/mini';
import { type Contract, callUrl, type Schema, type UrlParts } from './contract.ts';
import { fallback, list, parseJson } from './schema.ts';

/** Sent with what a page asks by itself: it does not prolong a session. */
export const UNATTENDED = 'X-Unattended';

/** Whether the page has been left alone since it was opened. Tests run without a document. */
function isUnattended(): boolean {
  if (!globalThis.document) return false;
  const isOpening = performance.now() < JUST_MS;
  return document.hidden || !(isOpening || (navigator.userActivation?.isActive ?? true));
}

/** As long as browsers take an activation for recent. */
const JUST_MS = 5_000;

export const refusal = z.object({
  /** '' when the server sent none. */
  message: fallback(z.string(), ''),
  errors: fallback(
    z.optional(list(z.object({ path: z.string(), message: z.string() }))),
    undefined,
  ),
  /** With 409: what the call was to change, as it is now. */
  now: z.optional(z.unknown()),
});

export class CallError extends Error {
  readonly status: number;
  readonly body: string;
  readonly reason: string;
  readonly errors: readonly { path: string; message: string }[];
  readonly now: unknown;
  /** What the call was about has changed, or is gone. */
  readonly isOutdated: boolean;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.status = status;
    this.body = body;
    const { data } = refusal.safeParse(parseJson(body));
    this.reason = data?.message ?? '';
    this.errors = data?.errors ?? [];
    this.now = data?.now;
    this.isOutdated = status === 409 || status === 410;
  }
}

/** The answer may be lost after the change was made. */
const NO_ANSWER =
  'Our server didn’t answer, so we can’t tell whether this worked. Please check before you try again.';

/** The server's explanation of a failed call, or `otherwise` when it sent none. */
export function reasonOf(error: unknown, otherwise = NO_ANSWER): string {
  return (error instanceof CallError && error.reason) || otherwise;
}

/** Whether what is shown may be outdated: it was changed before the call, or perhaps by it. */
export function mayHaveChanged(error: Error): boolean {
  return !(error instanceof CallError) || error.isOutdated || error.reason === '';
}

interface CallOptions<Body> extends UrlParts {
  /** Fields may be missing: the server then names them. */
  body?: Body extends Schema ? Partial<z.input<Body>> : never;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Throws a CallError for a refusal, a TypeError offline, a SyntaxError for a broken answer. */
export async function fetchCall<Body extends Schema | null, Answer extends Schema>(
  call: Contract<Body, Answer>,
  options: CallOptions<Body> = {},
): Promise<z.output<Answer>> {
  const { body, headers, signal } = options;
  const url = callUrl(call, options);
  const response = await fetch(url, {
    method: call.method,
    credentials: 'include',
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(isUnattended() && { [UNATTENDED]: 'true' }),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
    signal,
  });
  const received = await response.text();
  if (!response.ok) throw new CallError(response.status, response.statusText, received);
  const answer = call.answer.safeParse(received ? JSON.parse(received) : null);
  if (!answer.success) throw new SyntaxError(`${url}: ${answer.error.message}`);
  return answer.data;
}

/** For `Idempotency-Key`: what is sent again, because its answer was lost, has the same key. */
export function idempotencyKeys(): (body: unknown) => string {
  let last = { text: '', key: '' };
  return (body) => {
    const text = JSON.stringify(body);
    if (last.text !== text) last = { text, key: randomId() };
    return last.key;
  };
}

/** A random UUID (version 4). `crypto.randomUUID` is missing over plain http. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // The digits for version and variant are fixed.
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}
