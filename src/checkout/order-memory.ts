/** What this tab remembers of its order, so that a reload or a second try leads to the same one. */

import { type OrderBody, orderRequest } from '../orders/order.ts';
import { forget, recall, remember } from '../platform/browser/session-storage.ts';
import { randomId } from '../platform/random-id.ts';
import { fields, id, text } from '../platform/read.ts';

const ORDER = 'order';
const ATTEMPT = 'order_attempt';

/** An older server may not name the order; then the one before it must not stand for it. */
export function rememberOrderId(orderId: number | null): void {
  if (orderId === null) forget(ORDER);
  else remember(ORDER, orderId);
}

export function recallOrderId(): number | null {
  return recall(ORDER, id);
}

interface Attempt {
  request: OrderBody;
  key: string;
}

/** As it was sent, to the letter: under the same key the server takes no other. */
const isRequest = (value: unknown): value is OrderBody => orderRequest.safeParse(value).success;

const readAttempt = fields<Attempt>({
  request: (value) => (isRequest(value) ? value : undefined),
  key: text,
});

/**
 * The same purchase is the same request under the same key, also after a lost answer, a reload or a refused card;
 * another purchase gets another key. A card in another name pays the order that is there.
 */
export function attemptFor(request: OrderBody): Attempt {
  const kept = recall(ATTEMPT, readAttempt);
  if (kept && purchaseOf(kept.request) === purchaseOf(request)) return kept;
  const attempt = { request, key: randomId() };
  remember(ATTEMPT, attempt);
  return attempt;
}

function purchaseOf({ name, phone, ...purchase }: OrderBody): string {
  return JSON.stringify(purchase);
}

/** A paid order is done with: buying the same again means a second one. */
export function forgetAttempt(): void {
  forget(ATTEMPT);
}
