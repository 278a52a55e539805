/** The customer comes back from paying: what became of the payment is told once, and the order follows. */

import { useEffect, useState } from 'react';
import { GET_ORDER, UPDATE_STATUS } from '../orders/order-contracts.ts';
import type { Retrieved } from '../orders/payment.ts';
import { FETCH_FAILED, readOrder, type ToldOrder } from '../orders/read-order.ts';
import type { Retrieve } from '../payment/retrieve-payment.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { showToast } from '../ui/toast/toast.ts';
import { forgetAttempt, recallOrderId } from './order-memory.ts';

export const RETURN_PARAMETER = 'payment_intent_client_secret';

const UPDATE_FAILED = 'Failed to update order status';

interface Followed {
  /** The order that this tab has placed, once the server has told of it. */
  order: ToldOrder | null;
  /** Who could not be asked, in words: the provider about the payment, or our server about the order. */
  problem: string | null;
}

interface PaymentReturn extends Followed {
  asking: boolean;
  /** Asks once more. */
  again: () => void;
}

/** `retrieve` asks the payment provider by the secret in the address; the secret is removed once it has answered. */
export function usePaymentReturn(retrieve: Retrieve): PaymentReturn {
  const [followed, setFollowed] = useState<Followed>({ order: null, problem: null });
  const [asking, setAsking] = useState(true);
  const updating = followed.problem === UPDATE_FAILED;

  useEffect(() => {
    if (!asking) return;
    let wanted = true;
    follow(retrieve, updating)
      .catch(asProblem)
      .then((found) => {
        if (!wanted) return;
        setFollowed(found);
        setAsking(false);
      });
    return () => {
      wanted = false;
    };
  }, [retrieve, updating, asking]);

  return { ...followed, asking, again: () => setAsking(true) };
}

/** `updating`: the payment has been told of, and only the order has not followed yet. */
async function follow(retrieve: Retrieve, updating: boolean): Promise<Followed> {
  const address = new URL(window.location.href);
  const secret = address.searchParams.get(RETURN_PARAMETER);
  const id = recallOrderId();
  if (secret === null) {
    if (id !== null && updating) return updateOrder(id);
    return { order: id === null ? null : await askForOrder(id).catch(() => null), problem: null };
  }
  const status = await retrieve(secret).catch(failing(FETCH_FAILED));
  const followed =
    id === null ? { order: null, problem: null } : await updateOrder(id).catch(asProblem);
  forgetSecret();
  if (status === 'succeeded') forgetAttempt();
  tell(status);
  return followed;
}

function forgetSecret(): void {
  const address = new URL(window.location.href);
  for (const name of [RETURN_PARAMETER, 'payment_intent', 'redirect_status'])
    address.searchParams.delete(name);
  window.history.replaceState(window.history.state, '', address);
}

function tell(status: Retrieved): void {
  if (status === 'succeeded') {
    showToast({
      title: 'Payment successful!',
      description: 'Thank you for your purchase. We will be in touch shortly.',
    });
  } else if (status === 'processing') {
    showToast({
      title: 'Payment received',
      description: 'Your bank is still processing it. We will tell you when it is done.',
    });
  } else {
    showToast({
      title: 'Payment failed',
      description: 'There was an issue with your payment. Please try again.',
      variant: 'destructive',
    });
  }
}

/** Asks the server to look at the order's payment now, so that a late message from the provider makes no difference. */
async function updateOrder(id: number): Promise<Followed> {
  const order = await fetchCall(UPDATE_STATUS, readOrder, {
    params: { id },
    body: { status: 'processing' },
  }).catch(failing(UPDATE_FAILED));
  return { order, problem: null };
}

function askForOrder(id: number): Promise<ToldOrder> {
  return fetchCall(GET_ORDER, readOrder, { params: { id } }).catch(failing(FETCH_FAILED));
}

function failing(message: string) {
  return (cause: unknown): never => {
    throw new Error(message, { cause });
  };
}

function asProblem({ message }: Error): Followed {
  return { order: null, problem: message };
}
