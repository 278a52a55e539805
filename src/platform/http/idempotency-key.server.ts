/** A client repeats a request under one key: whatever was lost on the way, it is done once. */
import { hash } from 'node:crypto';
import { refuse } from './answer.server.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

/** The request's key, null without one, or the refusal of a malformed one (400). */
export function idempotencyKeyOf(headers: Headers): string | null | Response {
  const key = headers.get('idempotency-key');
  return key === null || KEY.test(key)
    ? key
    : refuse(400, 'The Idempotency-Key must have 1 to 255 printable characters');
}

/** Tells a repeated request from another under the same key. */
export function hashRequest(body: unknown): string {
  return hash('sha256', JSON.stringify(body));
}
