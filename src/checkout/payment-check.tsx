import { FETCH_FAILED } from '../orders/order-api.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import type { usePaymentReturn } from './payment-return.ts';

/** Between paying and the order: the payment is asked after, could not be, or no order of this tab belongs to it. */
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
