import { useEffect, useState } from 'react';
import { GET_LINKED_ORDER, type OrderView } from '../orders/order-api.ts';
import { type OrderRoute, readRoute } from '../orders/order-route.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';

type State =
  | { name: 'loading' }
  | { name: 'failed' }
  | { name: 'unknown' }
  /** The address bears no link. */
  | { name: 'none' }
  | { name: 'loaded'; order: OrderView; token: string };

const LOADING: State = { name: 'loading' };

/** The order that the address bears a link to, and the payment whose receipt is asked for. */
export function useLinkedOrder() {
  const [state, setState] = useState<State>(LOADING);
  const [shown, setShown] = useState<Pick<OrderRoute, 'receipt' | 'access'>>({
    receipt: null,
    access: null,
  });

  useEffect(() => {
    if (state.name !== 'loading') return;
    let left = false;
    askForOrder().then((found) => !left && setState(found));
    return () => {
      left = true;
    };
  }, [state]);

  // Another order's link, opened in this tab, differs in its fragment alone and loads no document; so does a receipt.
  useEffect(() => {
    const look = () => {
      const { token, receipt, access } = readRoute(window.location.hash);
      setShown({ receipt, access });
      setState((known) =>
        known.name === 'loaded' && known.token === token ? known : { ...LOADING },
      );
    };
    look();
    window.addEventListener('hashchange', look);
    return () => window.removeEventListener('hashchange', look);
  }, []);

  return { state, ...shown, again: () => setState({ ...LOADING }) };
}

async function askForOrder(): Promise<State> {
  const { token } = readRoute(window.location.hash);
  if (token === '') return { name: 'none' };
  try {
    const order = await fetchCall(GET_LINKED_ORDER, { body: { token } });
    return { name: 'loaded', order, token };
  } catch (error) {
    const refused = error instanceof CallError && error.status < 429;
    return { name: refused ? 'unknown' : 'failed' };
  }
}
