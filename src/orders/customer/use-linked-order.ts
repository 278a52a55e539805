import { useEffect, useState } from 'react';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { GET_LINKED_ORDER, readOrder, type ToldOrder } from '../order-contracts.ts';
import { readRoute } from './order-route.ts';

type State =
  | { name: 'loading' }
  | { name: 'failed' }
  | { name: 'unknown' }
  /** The address bears no link. */
  | { name: 'none' }
  | { name: 'loaded'; order: ToldOrder; token: string };

/** The order that the address bears a link to, and the payment whose receipt is asked for. */
export function useLinkedOrder() {
  const [state, setState] = useState<State>({ name: 'loading' });
  const [receipt, setReceipt] = useState<string | null>(null);

  useEffect(() => {
    if (state.name === 'loading') askForOrder().then(setState);
  }, [state]);

  // Another order's link, opened in this tab, differs in its fragment alone and loads no document; so does a receipt.
  useEffect(() => {
    const look = () => {
      const { token, receipt } = readRoute(window.location.hash);
      setReceipt(receipt);
      setState((known) =>
        known.name === 'loaded' && known.token === token ? known : { name: 'loading' },
      );
    };
    look();
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, []);

  return { state, receipt, again: () => setState({ name: 'loading' }) };
}

async function askForOrder(): Promise<State> {
  const { token } = readRoute(window.location.hash);
  if (token === '') return { name: 'none' };
  try {
    const order = await fetchCall(GET_LINKED_ORDER, readOrder, { body: { token } });
    return { name: 'loaded', order, token };
  } catch (error) {
    const refused = error instanceof CallError && error.status < 429;
    return { name: refused ? 'unknown' : 'failed' };
  }
}
