/** What this tab remembers of its order, so that a reload or a second try leads to the same one. */
import type { OrderRequest } from './order.ts';

const ORDER = 'order';
const ATTEMPT = 'order_attempt';

export function rememberOrderId(id: number): void {
  sessionStorage.setItem(ORDER, String(id));
}

export function recallOrderId(): number | null {
  const text = sessionStorage.getItem(ORDER);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** The same request gets the same key, also after a lost answer or a reload; another request gets another. */
export function idempotencyKeyFor(request: OrderRequest): string {
  const body = JSON.stringify(request);
  const [keptBody, keptKey] = readAttempt();
  if (keptBody === body && keptKey) return keptKey;
  const key = crypto.randomUUID();
  sessionStorage.setItem(ATTEMPT, JSON.stringify([body, key]));
  return key;
}

/** A paid order is done with: whoever buys the same again means a second one. */
export function forgetAttempt(): void {
  sessionStorage.removeItem(ATTEMPT);
}

function readAttempt(): (string | undefined)[] {
  const kept = sessionStorage.getItem(ATTEMPT);
  return kept === null ? [] : JSON.parse(kept);
}
