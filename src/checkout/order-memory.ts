/** What this tab remembers of its order, so that a reload or a second try leads to the same one. */
import { randomKey } from '../platform/random-key.ts';
import { forget, recall, remember } from '../platform/tab-memory.ts';
import type { OrderRequest } from './order.ts';

const ORDER = 'order';
const ATTEMPT = 'order_attempt';

/** An older server may not name the order; then the one before it must not stand for it. */
export function rememberOrderId(id: number | undefined): void {
  if (id === undefined) forget(ORDER);
  else remember(ORDER, id);
}

export function recallOrderId(): number | null {
  return recall<number>(ORDER);
}

interface Attempt {
  request: OrderRequest;
  key: string;
}

/**
 * The same purchase is the same request under the same key, also after a lost answer, a reload or a refused card;
 * another purchase gets another key. A card in another name pays the order that is there.
 */
export function attemptFor(request: OrderRequest): Attempt {
  const kept = recall<Attempt>(ATTEMPT);
  if (kept && purchaseOf(kept.request) === purchaseOf(request)) return kept;
  const attempt = { request, key: randomKey() };
  remember(ATTEMPT, attempt);
  return attempt;
}

function purchaseOf({ name, phone, ...purchase }: OrderRequest): string {
  return JSON.stringify(purchase);
}

/** A paid order is done with: whoever buys the same again means a second one. */
export function forgetAttempt(): void {
  forget(ATTEMPT);
}
