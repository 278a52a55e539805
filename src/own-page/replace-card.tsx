/** Replaces the card on file in the provider's own fields, and pays an overdue amount at once. */
import { useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import type { OrderView } from '../orders/order-api.ts';
import { CardFields, TestMode } from '../payments/card-fields.tsx';
import type { Provider } from '../payments/payment-api.ts';
import type { CardEntry } from '../payments/provider-in-browser.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { moveFocusTo } from '../ui/focus.tsx';
import { Notice } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.tsx';
import { type OwnPage, REPLACE_CARD, START_CARD } from './own-page-api.ts';
import { dueByCard, owes } from './payments-section.tsx';
import { type ChangeProps, useChange } from './use-own-page.ts';

const EXPIRED = 'This took too long. Please enter your card again.';

/** Staff decide about months that were never billed, so not all that is owed is charged at once. */
function replaced(before: OrderView, after: OrderView): string {
  if (!owes(before)) return 'Your new card is saved.';
  return owes(after)
    ? 'Your new card is saved. Your plan is still overdue, and we’ll contact you about the rest.'
    : 'Your new card is saved, and the overdue amount is paid.';
}

export function ReplaceCard(props: ChangeProps & { provider: Provider }) {
  const { token, page, provider, onClose } = props;
  const { name, email, phone, company, version } = page.order;
  const overdue = totalOf(dueByCard(page));
  const element = useRef<HTMLFormElement>(null);
  const card = useRef<CardEntry>(null);
  const { mutateAsync } = useChange(token);
  // The pressed button is gone, and a provider's fields take the focus only once they have loaded.
  useEffect(() => {
    moveFocusTo(element.current);
    element.current?.closest('[data-sheet]')?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { form, problem, saved, sending } = useForm({
    schema: z.object({}),
    read: () => ({}),
    alsoValid: () => card.current?.check() ?? false,
    save: async () => (card.current ? save(card.current) : EXPIRED),
    onSaved: (after) => typeof after !== 'string' && onClose(replaced(page.order, after.order)),
    failure: (error) => reasonOf(error),
  });
  const unsaved = problem ?? (saved === EXPIRED ? EXPIRED : null);

  async function save(entry: CardEntry): Promise<OwnPage | string> {
    const { clientSecret } = await fetchCall(START_CARD, { body: { token } });
    const billing = { name, email, phone, company, postalCode: null };
    const outcome = await entry.confirm(clientSecret, billing);
    if (outcome.kind === 'refused') return outcome.message;
    if (outcome.kind === 'expired') return EXPIRED;
    return mutateAsync(() => fetchCall(REPLACE_CARD, { body: { token, clientSecret, version } }));
  }

  return (
    <div className="max-w-md">
      {owes(page.order) && overdue > 0 && (
        <p className="mb-4 text-sm">
          {`${formatDollars(overdue)} is overdue and will be charged to the new card right away.`}
        </p>
      )}
      <form
        ref={element}
        noValidate
        {...form}
        aria-label="Replace card"
        className="grid gap-4 outline-none"
      >
        <TestMode provider={provider} />
        <CardFields ref={card} provider={provider} />
        {unsaved && <Notice kind="error">{unsaved}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={sending}>
            Save card
          </Button>
          <Button variant="quiet" disabled={sending} onClick={() => onClose(null)}>
            Back
          </Button>
        </div>
      </form>
    </div>
  );
}
