/** The quote behind a link, as its page and the checkout show it. */
import { useEffect, useState } from 'react';
import { CallError, fetchCall } from '../platform/old/fetch-call.ts';
import { OPEN_QUOTE } from './quote-contracts.ts';
import { readQuote, type ToldQuote } from './read-quote.ts';

export type QuoteFound =
  | { name: 'loading' }
  | { name: 'failed' }
  | { name: 'unknown' }
  | { name: 'loaded'; quote: ToldQuote };

/** Of a state that this version does not know the server decides. */
export function isPayable({ state }: ToldQuote): boolean {
  return state === 'open' || state === null;
}

/** `token` is read in the browser alone: the server draws the same for every quote. */
export function useQuote(token: () => string) {
  const [found, setFound] = useState<QuoteFound>({ name: 'loading' });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says which quote, and stays
  useEffect(() => {
    if (found.name === 'loading') openQuote(token()).then(setFound);
  }, [found]);

  return {
    found,
    again: () => setFound({ name: 'loading' }),
    /** Something was changed by this page itself. */
    replace: (quote: ToldQuote) => setFound({ name: 'loaded', quote }),
  };
}

async function openQuote(token: string): Promise<QuoteFound> {
  try {
    return { name: 'loaded', quote: await fetchCall(OPEN_QUOTE, readQuote, { body: { token } }) };
  } catch (error) {
    const refused = error instanceof CallError && error.status < 429;
    return { name: refused ? 'unknown' : 'failed' };
  }
}
