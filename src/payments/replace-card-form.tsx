/** Replaces the card of a running plan, in the payment provider's own fields. Nothing is charged. */
import { type FormEvent, lazy, Suspense, useRef, useState } from 'react';
import type { CardEntry, Provider } from '../orders/payment.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { CardFormProps } from './card-form-props.ts';
import { TestCardFields } from './test-gateway/test-card-fields.tsx';

const StripeCardFields = lazy(async () => ({
  default: (await import('./stripe/stripe-card-fields.tsx')).StripeCardFields,
}));

const NOT_SAVED = 'Your card couldn’t be saved, so nothing has changed. Please try again.';
const EXPIRED = 'This took too long. Please enter your card again.';

export function ReplaceTestCard(props: CardFormProps) {
  return <CardForm {...props} provider="test" />;
}

export function ReplaceStripeCard(props: CardFormProps) {
  return <CardForm {...props} provider="stripe" />;
}

function CardForm(props: CardFormProps & { provider: Provider }) {
  const { provider, start, use, billing, onCancel } = props;
  const card = useRef<CardEntry>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function save(entry: CardEntry): Promise<string | null> {
    try {
      const clientSecret = await start();
      const outcome = await entry.confirm(clientSecret, { ...billing, postalCode: null });
      if (outcome.kind === 'refused') return outcome.message;
      return outcome.kind === 'expired' ? EXPIRED : await use(clientSecret);
    } catch (error) {
      return reasonOf(error, NOT_SAVED);
    }
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const entry = card.current;
    if (busy || !entry?.check()) return;
    setBusy(true);
    setProblem(null);
    const why = await save(entry);
    setBusy(false);
    setProblem(why);
  }

  return (
    <form noValidate onSubmit={submit} aria-label="Replace card" className="grid gap-4">
      {provider === 'stripe' ? (
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <StripeCardFields ref={card} onAsking={() => undefined} />
        </Suspense>
      ) : (
        <TestCardFields ref={card} />
      )}
      {problem && <Notice kind="error">{problem}</Notice>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy}>
          Save card
        </Button>
        <Button variant="quiet" disabled={busy} onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}
