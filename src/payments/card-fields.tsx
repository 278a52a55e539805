/** The card fields of the provider that takes the payments. */
import { Suspense, useState } from 'react';
import { FailureBoundary, lazyWithRetry } from '../ui/failure-boundary.tsx';
import { CONTROL } from '../ui/fields.tsx';
import { CardGroup } from './card-group.tsx';
import { loadProvider } from './load-provider.ts';
import type { Provider } from './payment-api.ts';
import type { CardFieldsProps } from './provider-in-browser.ts';
import { TestCardFields } from './test-gateway/test-card-fields.tsx';

/** What a form with these fields says first. */
export function TestMode({ provider }: { provider: Provider }) {
  if (provider !== 'test') return null;
  return (
    <p className="rounded-control bg-paper-deep px-3 py-2 text-xs text-ink">
      <strong>Test mode</strong>, no money moves:{' '}
      <span className="whitespace-nowrap">4242 4242 4242 4242</span>
    </p>
  );
}

/** Before what else the form says of the payment. */
export function WhereCardGoes({ provider }: { provider: Provider }) {
  if (provider !== 'stripe') return null;
  return <span>Your card goes straight to Stripe, never to our servers. </span>;
}

export function CardFields({ provider, ...props }: CardFieldsProps & { provider: Provider }) {
  const [Fields] = useState(() =>
    provider === 'test'
      ? TestCardFields
      : lazyWithRetry(async () => (await loadProvider(provider)).CardFields),
  );
  return (
    <FailureBoundary>
      <Suspense fallback={<EmptyFields />}>
        <Fields {...props} />
      </Suspense>
    </FailureBoundary>
  );
}

/** As high as the fields that it waits for: nothing moves when they come. */
function EmptyFields() {
  return (
    <CardGroup errors={{}} brand={undefined}>
      {(_part, _id, edges) => <div className={`${CONTROL} h-12 ${edges}`} />}
    </CardGroup>
  );
}
