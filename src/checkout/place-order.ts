/** The browser asks for an order and its payment; however often it does, the same purchase is one order. */

import type { OrderBody } from '../orders/order.ts';
import { PLACE_ORDER } from '../orders/order-contracts.ts';
import { readStarted } from '../orders/read-order.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { attemptFor, rememberOrderId } from './order-memory.ts';

const FAILED = 'Failed to process payment';

/**
 * The payment's secret; null when nothing is due. Rejects with the server's reason, or the specification's default, and
 * with what went wrong as its cause.
 */
export async function placeOrder(wanted: OrderBody): Promise<string | null> {
  const { request, key } = attemptFor(wanted);
  const send = () =>
    fetchCall(PLACE_ORDER, readStarted, {
      body: request,
      headers: { 'Idempotency-Key': key },
    });
  const { clientSecret, orderId } = await send()
    .catch((error: unknown) => {
      // The connection broke: under its key, asking again is safe.
      if (error instanceof TypeError) return send();
      throw error;
    })
    .catch((cause: unknown) => {
      throw new Error(reasonOf(cause, FAILED), { cause });
    });
  rememberOrderId(orderId);
  return clientSecret;
}
