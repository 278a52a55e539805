/** Replaces the card of a running plan, in the payment provider's own fields. Nothing is charged. */

import { type FormEvent, Suspense, useRef, useState } from 'react';
import type { Provider } from '../orders/order.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { lazyPart } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { CardEntry } from './payment-api.ts';
import { TestCardFields } from './test-gateway/test-card-fields.tsx';

const StripeCardFields = lazyPart(
  async () => (await import('./stripe/stripe-card-fields.tsx')).StripeCardFields,
);

interface ReplaceCardFormProps {
  provider: Provider;
  /** Gives the client secret that lets the browser enter a card. Throws an error whose text is for the customer. */
  start(): Promise<string>;
  /** Charges the card that was entered with this secret from now on. Gives why it could not, or null. */
  use(clientSecret: string): Promise<string | null>;
  billing: { name: string; email: string; phone: string | null; company: string | null };
  onCancel: () => void;
}

const NOT_SAVED = 'Your card couldn’t be saved, so nothing has changed. Please try again.';
const EXPIRED = 'This took too long. Please enter your card again.';

export function ReplaceCardForm({ provider, start, use, billing, onCancel }: ReplaceCardFormProps) {
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
