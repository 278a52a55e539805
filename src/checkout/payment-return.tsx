/** The return from paying: looks up the outcome, says it once in a toast, and shows the order. */
import { useEffect, useState } from 'react';
import { FETCH_FAILED, GET_ORDER, type OrderView, UPDATE_STATUS } from '../orders/order-api.ts';
import { OrderCard } from '../orders/order-card.tsx';
import { loadProvider } from '../payments/load-provider.ts';
import type { Provider } from '../payments/payment-api.ts';
import type { RetrievedStatus } from '../payments/provider-in-browser.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { Button, TryAgainButton } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { showError, showToast, type ToastText } from '../ui/toast/toast.ts';
import { PLACED_PARAMETER, RETURN_PARAMETER } from './checkout-data.ts';
import { clearCheckout, returnUrl, savedOrderId, savedSecret } from './place-order.ts';

const NO_ORDER: ReturnState = { order: null, paid: false, problem: null };

const UPDATE_FAILED = 'Failed to update order status';

const TOASTS: Partial<Record<RetrievedStatus, ToastText>> = {
  succeeded: {
    title: 'Payment successful!',
    description: 'Thank you for your purchase. We will be in touch shortly.',
  },
  processing: {
    title: 'Payment received',
    description: 'Your bank is still processing it. You don’t need to pay again.',
  },
  saved: {
    title: 'Your card is saved',
    description: 'Thank you. Nothing is charged before your plan starts.',
  },
};

interface ReturnState {
  order: OrderView | null;
  paid: boolean;
  /** FETCH_FAILED: the provider could not be reached. UPDATE_FAILED: our server could not. */
  problem: string | null;
  /** Tells the outcome in a toast, whose place depends on what is shown. */
  tell?: () => void;
}

export type PaymentReturn = ReturnType<typeof usePaymentReturn>;

/** Looks up the payment by the URL's secret, and removes it once the status is known. */
export function usePaymentReturn(provider: Provider) {
  const [state, setState] = useState<ReturnState>(NO_ORDER);
  const [isChecking, setChecking] = useState(true);
  const isUpdateMissing = state.problem === UPDATE_FAILED;

  useEffect(() => {
    if (!isChecking) return;
    let ignore = false;
    loadReturnState(provider, isUpdateMissing).then((loaded) => {
      if (ignore) return;
      setState(loaded);
      setChecking(false);
    });
    return () => {
      ignore = true;
    };
  }, [provider, isUpdateMissing, isChecking]);

  useEffect(() => {
    state.tell?.();
  }, [state]);

  return { ...state, isChecking, retry: () => setChecking(true) };
}

/** `isUpdateMissing`: the payment's status is known, but the order was not updated. */
async function loadReturnState(provider: Provider, isUpdateMissing: boolean): Promise<ReturnState> {
  const query = new URLSearchParams(window.location.search);
  const secret = query.get(RETURN_PARAMETER);
  if (secret !== null) return completeReturn(provider, secret);
  const id = savedOrderId();
  const paid = window.history.state?.paid === true;
  // Without storage the order is unknown, but the customer must still see that they paid.
  if (id === null) return { ...NO_ORDER, paid };
  const order = await fetchCall(GET_ORDER, { params: { id } }).catch(() => null);
  // Left in the middle of paying, it may be paid by now.
  const isOpen = order?.status === 'pending' || order?.status === 'processing';
  if (isUpdateMissing || isOpen) return { ...(await updateStatus(id)), paid };
  return { order, paid, problem: null };
}

async function completeReturn(provider: Provider, secret: string): Promise<ReturnState> {
  const status = await loadProvider(provider)
    .then(({ retrieveStatus }) => retrieveStatus(secret))
    .catch(() => null);
  if (status === null) return { ...NO_ORDER, problem: FETCH_FAILED };
  const id = savedOrderId();
  const updated = id === null ? NO_ORDER : await updateStatus(id);
  const toast = TOASTS[status];
  const paid = toast !== undefined;
  removeSecret(paid);
  if (paid && status !== 'processing') clearCheckout();
  const tell = () =>
    toast
      ? showToast(toast)
      : showError('There was an issue with your payment. Please try again.', 'Payment failed');
  return { ...updated, paid, tell };
}

/** Keeps `paid` in the history entry: a reload shows the order again, a shared link does not. */
function removeSecret(paid: boolean): void {
  const url = new URL(window.location.href);
  for (const name of [RETURN_PARAMETER, 'payment_intent', 'redirect_status'])
    url.searchParams.delete(name);
  if (paid) url.searchParams.set(PLACED_PARAMETER, '1');
  window.history.replaceState({ ...window.history.state, paid }, '', url);
}

/** Has the server look up the payment now, so that a late webhook makes no difference. */
async function updateStatus(id: number): Promise<Pick<ReturnState, 'order' | 'problem'>> {
  const body = { status: 'processing' } as const;
  return fetchCall(UPDATE_STATUS, { params: { id }, body }).then(
    (order) => ({ order, problem: null }),
    () => ({ order: null, problem: UPDATE_FAILED }),
  );
}

/** Until there is an order to show: the payment is looked up, could not be, or has none here. */
export function PaymentCheck({ paid, problem, isChecking, retry }: PaymentReturn) {
  const isLoading = !paid && !problem;
  const heading = paid ? 'Your order is in' : 'We couldn’t check your payment';
  return (
    <div aria-busy={isLoading} className="max-w-3xl">
      <h1 className="text-2xl tracking-[-0.03em]">
        {isLoading ? 'Checking your payment' : heading}
      </h1>
      {isLoading && (
        <>
          <p className="mt-3 text-lg" role="status">
            One moment, please. Don’t close this page or pay again.
          </p>
          <p className="mt-3 hidden noscript:block">
            This page needs JavaScript to show your payment. Please turn it on.
          </p>
          <Skeleton className="mt-8 h-72 w-full noscript:hidden" />
        </>
      )}
      {problem && (
        <Notice kind="error" className="mt-6">
          <p>{problem}</p>
          <p className="mt-1">
            {paid && <span>Thank you. We just can’t show it right now.</span>}{' '}
            {problem === FETCH_FAILED && (
              <span>Please don’t pay again yet. If your bank approved the payment, it counts.</span>
            )}
          </p>
          <TryAgainButton busy={isChecking} onClick={retry} />
        </Notice>
      )}
      {paid && !problem && (
        <p className="mt-3 text-lg">
          Thank you. We’ll contact you within one business day to begin.
        </p>
      )}
    </div>
  );
}

interface PlacedOrderProps {
  returned: PaymentReturn;
  provider: Provider;
}

/** Beside a new choice: the order that was placed before, or why it is not shown. */
export function PlacedOrder({ returned, provider }: PlacedOrderProps) {
  const { order, problem, isChecking, retry } = returned;
  return (
    <FailureBoundary>
      {order && <ContinuePayment order={order} provider={provider} />}
      {problem ? (
        <Notice kind="error" className="mt-8">
          <p>{problem}</p>
          <TryAgainButton busy={isChecking} onClick={retry} />
        </Notice>
      ) : (
        order && <OrderCard order={order} />
      )}
    </FailureBoundary>
  );
}

/** After a reload during the bank's approval (3-D Secure), lets the buyer go on with it. */
function ContinuePayment({ order, provider }: { order: OrderView; provider: Provider }) {
  const isAtBank = order.status === 'processing' && !order.billable;
  const clientSecret = isAtBank ? savedSecret(order.id) : null;
  const { mutate, isPending, isError } = usePress({
    mutationFn: async ([secret, approve]: [string, boolean]) =>
      (await loadProvider(provider)).continuePayment(secret, approve),
    onSuccess: (_, [secret]) => window.location.assign(returnUrl(secret)),
  });
  if (clientSecret === null) return null;
  return (
    <section
      aria-label="Confirm your payment"
      className="mt-8 max-w-3xl rounded-control border border-amber/30 bg-amber-soft p-4"
    >
      <p className="text-sm text-ink">Your bank needs your approval.</p>
      {isError && (
        <Notice kind="error" className="mt-3">
          We couldn’t reach your bank. Please try again.
        </Notice>
      )}
      <div className="mt-3 flex flex-wrap gap-3">
        <Button busy={isPending} onClick={() => mutate([clientSecret, true])}>
          {provider === 'test' ? 'Approve' : 'Continue with your bank'}
        </Button>
        {provider === 'test' && (
          <Button
            variant="quiet"
            disabled={isPending}
            onClick={() => mutate([clientSecret, false])}
          >
            Refuse
          </Button>
        )}
      </div>
    </section>
  );
}
