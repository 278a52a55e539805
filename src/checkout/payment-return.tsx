/** The customer comes back from paying: what became of the payment is shown once, and the order follows. */

import { useEffect, useState } from 'react';
import type { Provider, Retrieved } from '../orders/order.ts';
import { FETCH_FAILED, GET_ORDER, type OrderView, UPDATE_STATUS } from '../orders/order-api.ts';
import { retrieveTestPayment } from '../payments/test-gateway/test-payments.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { TryAgain } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast, type ToastText } from '../ui/toast/toast.ts';
import { PLACED_PARAMETER, RETURN_PARAMETER } from './checkout-address.ts';
import { forgetAttempt, recallOrderId } from './place-order.ts';

const NOTHING: Followed = { order: null, paid: false, problem: null };

const UPDATE_FAILED = 'Failed to update order status';

const WORDS: Partial<Record<Retrieved, ToastText>> = {
  succeeded: {
    title: 'Payment successful!',
    description: 'Thank you for your purchase. We will be in touch shortly.',
  },
  processing: {
    title: 'Payment received',
    description: 'Your bank is still processing it. We’ll email you when it goes through.',
  },
};
const FAILED: ToastText = {
  title: 'Payment failed',
  description: 'There was an issue with your payment. Please try again.',
  variant: 'destructive',
};

/** What became of the payment that a client secret names; rejects when the provider cannot be reached. */
const RETRIEVE: Record<Provider, (clientSecret: string) => Promise<Retrieved>> = {
  test: retrieveTestPayment,
  stripe: async (secret) =>
    (await import('../payments/stripe/stripe-js.ts')).retrieveStripePayment(secret),
};

interface Followed {
  /** The order that this tab has placed, once the server has answered. */
  order: OrderView | null;
  /** The payment with which this entry of the history came back has arrived, or is on its way. */
  paid: boolean;
  /** Who could not be reached, in words: the provider about the payment, or our server about the order. */
  problem: string | null;
}

/**
 * The payment is retrieved by the secret in the address, which is removed once it has answered. `again` asks once
 * more.
 */
export function usePaymentReturn(provider: Provider) {
  const [followed, setFollowed] = useState<Followed>(NOTHING);
  const [asking, setAsking] = useState(true);
  const updating = followed.problem === UPDATE_FAILED;

  useEffect(() => {
    if (!asking) return;
    let wanted = true;
    follow(RETRIEVE[provider], updating)
      .catch(asProblem)
      .then((found) => {
        if (!wanted) return;
        setFollowed(found);
        setAsking(false);
      });
    return () => {
      wanted = false;
    };
  }, [provider, updating, asking]);

  return { ...followed, asking, again: () => setAsking(true) };
}

/** `updating`: the payment is known, and only the order has not followed yet. */
async function follow(
  retrieve: (secret: string) => Promise<Retrieved>,
  updating: boolean,
): Promise<Followed> {
  const address = new URL(window.location.href);
  const secret = address.searchParams.get(RETURN_PARAMETER);
  const id = recallOrderId();
  if (secret === null) {
    if (id === null) return { ...NOTHING, paid: cameBackPaid() };
    if (updating) return { ...(await updateOrder(id)), paid: cameBackPaid() };
    const order = await fetchCall(GET_ORDER, { params: { id } }).catch(() => null);
    return { order, paid: cameBackPaid(), problem: null };
  }
  const status = await retrieve(secret).catch(failing(FETCH_FAILED));
  const followed = id === null ? NOTHING : await updateOrder(id).catch(asProblem);
  const paid = status === 'succeeded' || status === 'processing';
  forgetSecret(paid);
  if (status === 'succeeded') forgetAttempt();
  showToast(WORDS[status] ?? FAILED);
  return { ...followed, paid };
}

function cameBackPaid(): boolean {
  return window.history.state?.paid === true;
}

/** `paid` is kept in the entry of the history: a reload shows the order again, and a link that is sent does not. */
function forgetSecret(paid: boolean): void {
  const address = new URL(window.location.href);
  for (const name of [RETURN_PARAMETER, 'payment_intent', 'redirect_status'])
    address.searchParams.delete(name);
  if (paid) address.searchParams.set(PLACED_PARAMETER, '1');
  window.history.replaceState({ ...window.history.state, paid }, '', address);
}

/** Asks the server to look at the order's payment now, so that a late message from the provider makes no difference. */
async function updateOrder(id: number): Promise<Followed> {
  const order = await fetchCall(UPDATE_STATUS, {
    params: { id },
    body: { status: 'processing' },
  }).catch(failing(UPDATE_FAILED));
  return { ...NOTHING, order };
}

function failing(message: string) {
  return (cause: unknown): never => {
    throw new Error(message, { cause });
  };
}

function asProblem({ message }: Error): Followed {
  return { ...NOTHING, paid: cameBackPaid(), problem: message };
}

/** Between paying and the order: the payment is being retrieved, could not be, or no order of this tab belongs to it. */
export function PaymentCheck({
  paid,
  problem,
  asking,
  again,
}: ReturnType<typeof usePaymentReturn>) {
  if (problem) {
    return (
      <div className="max-w-3xl">
        <h1 className="text-2xl tracking-[-0.03em]">
          {paid ? 'Payment received' : 'We couldn’t check your payment'}
        </h1>
        <div className="mt-6">
          <Notice kind="error">
            <p>{problem}</p>
            <p className="mt-1">
              {problem === FETCH_FAILED
                ? 'Please don’t pay again yet. If your bank approved the payment, it counts.'
                : 'Your payment counts. Only your order could not be shown.'}
            </p>
            <TryAgain busy={asking} onClick={again} />
          </Notice>
        </div>
      </div>
    );
  }
  if (paid && !asking) {
    return (
      <div className="max-w-3xl">
        <h1 className="text-2xl tracking-[-0.03em]">Payment received</h1>
        <p className="mt-3 text-lg">
          Thank you. We’ll contact you within one business day to begin.
        </p>
      </div>
    );
  }
  return (
    <div aria-busy="true" className="max-w-3xl">
      <h1 className="text-2xl tracking-[-0.03em]">Checking your payment</h1>
      <p className="mt-3 text-lg" role="status">
        One moment, please. Don’t close this page or pay again.
      </p>
      <Skeleton className="mt-8 h-72 w-full" />
      <noscript>
        <p className="mt-4">This page needs JavaScript to show your payment.</p>
      </noscript>
    </div>
  );
}
