/** After a reload during the bank's approval (3-D Secure), lets the buyer go on with it. */
import type { OrderView } from '../orders/order-api.ts';
import { loadProvider } from '../payments/load-provider.ts';
import type { Provider } from '../payments/payment-api.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { returnUrl, savedSecret } from './place-order.ts';

interface ContinuePaymentProps {
  order: OrderView | null;
  provider: Provider;
}

export function ContinuePayment({ order, provider }: ContinuePaymentProps) {
  const isAtBank = order?.status === 'processing' && !order.billable;
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
