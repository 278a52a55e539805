/** The card fields of the provider that takes the payments. */
import { type Ref, Suspense } from 'react';
import type { Provider } from '../orders/order.ts';
import { FailureBoundary, lazyWithRetry } from '../ui/failure-boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { CardEntry } from './payment-api.ts';
import { TestCardFields } from './test-gateway/test-card-fields.tsx';

/** Loaded on demand, so that pages of the test gateway never fetch Stripe's code. */
const StripeCardFields = lazyWithRetry(
  async () => (await import('./stripe/stripe-card-fields.tsx')).StripeCardFields,
);

interface CardFieldsProps {
  provider: Provider;
  ref: Ref<CardEntry>;
  /** Called with true while the bank's 3-D Secure window is open. */
  onAuthenticating?: (open: boolean) => void;
}

export function CardFields({ provider, ref, onAuthenticating }: CardFieldsProps) {
  if (provider === 'test') return <TestCardFields ref={ref} />;
  return (
    <FailureBoundary>
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <StripeCardFields ref={ref} onAuthenticating={onAuthenticating} />
      </Suspense>
    </FailureBoundary>
  );
}
