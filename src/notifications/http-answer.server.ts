/** What receivers answer: it may be endless, or repeat a secret. */
import type { DeliveryOutcome } from './notification.server.ts';
import { MAX_PAUSE_MS } from './outbox-store.server.ts';

const MAX_BYTES = 64 * 1024;
/** For a card, and for a token. A stop waits for no longer. */
export const QUICK_DEADLINE_MS = 5_000;

/** Posts to a receiver that has `seconds` to answer. */
export async function post(
  url: string,
  init: Pick<RequestInit, 'headers' | 'body' | 'signal'>,
  seconds: number,
  outcomeOf: (response: Response) => DeliveryOutcome | Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> {
  try {
    const response = await fetch(url, { method: 'POST', redirect: 'manual', ...init });
    if (!response.ok) return await outcomeOf(response);
    // If the connection breaks now, the message is still accepted.
    response.body?.cancel().catch(() => {});
    return { kind: 'accepted', answer: `accepted (${response.status})` };
  } catch (error) {
    return noAnswer(error, seconds);
  }
}

/** Whoever is refused like this, or finds nothing there, must change something. */
const LASTING = new Set([401, 403, 404, 410]);

/** The outcome of an answer that is not about this message. `code`: why, as the receiver says. */
export function notTaken(response: Response, code = '') {
  const { status } = response;
  const answer =
    status < 400
      ? `answered with a redirect (${status}), which is not followed`
      : `refused (${status}${code && ` ${code}`})`;
  const isLasting = LASTING.has(status);
  return {
    kind: 'unavailable',
    answer,
    about: 'unknown',
    isLasting,
    retryAfterMs: retryAfterMs(response),
  } as const;
}

/** The beginning of the body; '' if it cannot be read. */
export async function readBeginning({ body }: Response, most = MAX_BYTES): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= most) break;
    }
  } catch {
    // The connection broke. What has arrived may do.
  }
  return Buffer.concat(chunks).subarray(0, most).toString();
}

/** Milliseconds of Retry-After, in seconds or as a date; 0 if it is missing, unreadable or over. */
export function retryAfterMs({ headers }: Pick<Response, 'headers'>): number {
  const after = headers.get('retry-after') ?? '';
  const wait = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return Math.min(Math.max(wait || 0, 0), MAX_PAUSE_MS);
}

/** Errors of a connection that was never made, so that nothing was sent; certificates' last. */
export const NOT_CONNECTED =
  /^(E(CONNREFUSED|HOSTUNREACH|NETUNREACH|NOTFOUND)|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$|CERT|^UNABLE_TO_VERIFY/;

/** The outcome without an answer. Errors may quote a secret URL, so only their names are used. */
export function noAnswer(error: unknown, seconds: number) {
  const { name, cause }: { name?: unknown; cause?: { code?: unknown } } = Object(error);
  const code = String(cause?.code ?? name);
  return {
    kind: 'unavailable',
    answer:
      name === 'TimeoutError' ? `no answer within ${seconds} seconds` : `no connection (${code})`,
    about: NOT_CONNECTED.test(code) ? 'all' : 'unknown',
  } as const;
}
