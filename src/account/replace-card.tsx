/**
 * Replaces the card on file, using the provider's card fields, and pays an overdue amount right
 * away.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { OrderStatus } from '../billing/order-status.ts';
import { CardFields } from '../payments/card-fields.tsx';
import type { Provider } from '../payments/payment-api.ts';
import type { CardEntry } from '../payments/provider-in-browser.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { moveFocusTo } from '../ui/focus.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Account, REPLACE_CARD, START_CARD } from './account-api.ts';
import { type ChangeProps, useChange } from './use-account.ts';

const NOT_SAVED = 'Your card couldn’t be saved, so nothing has changed. Please try again.';
const EXPIRED = 'This took too long. Please enter your card again.';

/**
 * Not everything that is owed can be charged at once: staff decide about months that were never
 * billed.
 */
function replaced(before: OrderStatus | null, after: OrderStatus | null): string {
  if (before !== 'past_due') return 'Your card is replaced.';
  return after === 'past_due'
    ? 'Your card is replaced. Your plan is still overdue, and we’ll contact you about the rest.'
    : 'Your card is replaced. What was overdue is paid.';
}

export function ReplaceCard(props: ChangeProps & { provider: Provider }) {
  const { token, account, provider, onClose } = props;
  const { name, email, phone, company, status, version } = account.order;
  const open = account.payments.filter(({ state }) => state === 'open');
  const overdue = totalOf(open);
  const form = useRef<HTMLFormElement>(null);
  const card = useRef<CardEntry>(null);
  const { mutateAsync } = useChange(token);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // The pressed button has disappeared. A provider's own card fields cannot be focused before they
  // have loaded.
  useEffect(() => moveFocusTo(form.current), []);

  /** Returns the account with the new card, or why the card could not be saved. */
  async function save(entry: CardEntry): Promise<Account | string> {
    try {
      const { clientSecret } = await fetchCall(START_CARD, { body: { token } });
      const billing = { name, email, phone, company, postalCode: null };
      const outcome = await entry.confirm(clientSecret, billing);
      if (outcome.kind === 'refused') return outcome.message;
      if (outcome.kind === 'expired') return EXPIRED;
      const body = { token, clientSecret, version };
      return await mutateAsync(() => fetchCall(REPLACE_CARD, { body }));
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
    const after = await save(entry);
    if (typeof after !== 'string') return onClose(replaced(status, after.order.status));
    setBusy(false);
    setProblem(after);
  }

  return (
    <div className="max-w-md">
      {status === 'past_due' && overdue > 0 && (
        <p className="mb-4 text-sm">
          {`${formatDollars(overdue)} is overdue and will be charged to the new card right away.`}
        </p>
      )}
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        aria-label="Replace card"
        className="grid gap-4 outline-none"
      >
        <CardFields ref={card} provider={provider} />
        {problem && <Notice kind="error">{problem}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={busy}>
            Save card
          </Button>
          <Button variant="quiet" disabled={busy} onClick={() => onClose(null)}>
            Back
          </Button>
        </div>
      </form>
    </div>
  );
}
