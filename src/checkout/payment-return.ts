/** The customer comes back from paying: what became of the payment is told once, and the order follows. */
import { useEffect, useState } from 'react';
import type { PaymentStatus } from '../payment/payment.ts';
import { fetchJson } from '../platform/fetch-json.ts';
import { showToast } from '../ui/toast.ts';
import type { OrderJson } from './order.ts';
import { forgetAttempt, recallOrderId } from './order-memory.ts';

export const RETURN_PARAMETER = 'payment_intent_client_secret';

interface PaymentReturn {
  /** The order that this tab has placed, once the server has told of it. */
  order: OrderJson | null;
  /** The provider could not be asked; `again` asks once more. */
  failed: boolean;
  again: () => void;
}

/** `retrieve` asks the payment provider by the secret in the address; the secret is removed once it has answered. */
export function usePaymentReturn(
  retrieve: (clientSecret: string) => Promise<PaymentStatus>,
): PaymentReturn {
  const [order, setOrder] = useState<OrderJson | null>(null);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` is what asks again.
  useEffect(() => {
    let wanted = true;
    follow(retrieve).then(
      (followed) => {
        if (!wanted) return;
        setOrder(followed);
        setFailed(false);
      },
      () => wanted && setFailed(true),
    );
    return () => {
      wanted = false;
    };
  }, [retrieve, tries]);

  return { order, failed, again: () => setTries((count) => count + 1) };
}

async function follow(
  retrieve: (clientSecret: string) => Promise<PaymentStatus>,
): Promise<OrderJson | null> {
  const address = new URL(window.location.href);
  const secret = address.searchParams.get(RETURN_PARAMETER);
  const id = recallOrderId();
  if (secret === null) return id === null ? null : readOrder(id);
  const status = await retrieve(secret);
  const order = id === null ? null : await updateOrder(id);
  forgetSecret();
  if (status === 'succeeded') forgetAttempt();
  tell(status);
  return order;
}

function forgetSecret(): void {
  const address = new URL(window.location.href);
  for (const name of [RETURN_PARAMETER, 'payment_intent', 'redirect_status'])
    address.searchParams.delete(name);
  window.history.replaceState(window.history.state, '', address);
}

function tell(status: PaymentStatus): void {
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
function updateOrder(id: number): Promise<OrderJson | null> {
  return fetchJson<OrderJson>(`/api/orders/${id}/update-status`, {
    method: 'POST',
    body: { status: 'processing' },
  }).catch(() => null);
}

function readOrder(id: number): Promise<OrderJson | null> {
  return fetchJson<OrderJson>(`/api/orders/${id}`).catch(() => null);
}
