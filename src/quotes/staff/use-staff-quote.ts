/** What staff type of a quote, until the server has taken it. */
import { type FormEvent, useRef, useState } from 'react';
import { CallError, fetchCall } from '../../platform/old/fetch-call.ts';
import { staffQuoteRequest } from '../quote.ts';
import { CHANGE_QUOTE, MAKE_QUOTE } from '../quote-contracts.ts';
import { readMade, type ToldQuoteRow } from '../read-quote.ts';
import { type Draft, draftOf, requestOf } from './quote-draft.ts';
import { useQuoteAction } from './use-quotes.ts';

export function useStaffQuote(quote: ToldQuoteRow | null, onMade: (quote: ToldQuoteRow) => void) {
  const [draft, setDraft] = useState(() => draftOf(quote));
  const [faults, setFaults] = useState<Record<string, string>>({});
  const action = useQuoteAction<{ quote: ToldQuoteRow }>();
  const form = useRef<HTMLFormElement>(null);
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  function refuse(issues: readonly { path: string; message: string }[]) {
    setFaults(Object.fromEntries(issues.map(({ path, message }) => [path, message])));
    form.current?.querySelector<HTMLElement>(`[name="${issues[0]?.path}"]`)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const body = requestOf(draft, quote);
    const asked = staffQuoteRequest.safeParse(body);
    if (!asked.success) {
      return refuse(
        asked.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })),
      );
    }
    setFaults({});
    const send = () =>
      quote
        ? fetchCall(CHANGE_QUOTE, readMade, { params: { id: quote.id }, body })
        : fetchCall(MAKE_QUOTE, readMade, { body });
    action.mutate(send, {
      onSuccess: ({ quote: made }) => onMade(made),
      onError: (error) => error instanceof CallError && refuse(error.errors),
    });
  }

  return { draft, faults, change, form, submit, action };
}
