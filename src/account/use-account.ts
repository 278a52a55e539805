/** What is known of the customer's plan, and everything that changes it; what was refused is looked at again. */
import { useEffect, useState } from 'react';
import { reasonOf } from '../platform/fetch-call.ts';
import { CallError, fetchCall } from '../platform/old/fetch-call.ts';
import { GET_ACCOUNT } from './account-contracts.ts';
import { readAccount, type ToldAccount } from './read-account.ts';

export type AccountState =
  | { name: 'loading' }
  | { name: 'failed' }
  | { name: 'loaded'; account: ToldAccount };

/** What each part of the page is given. */
export interface AccountPart {
  token: string;
  account: ToldAccount;
  acting: Acting;
}

interface Acting {
  /** What does it, and its name while it is under way. */
  busy: string | null;
  /** `call` gives what holds after it; gives why it could not be done, or null when it was. */
  act(name: string, call: () => Promise<ToldAccount>): Promise<string | null>;
  /** Looks at what holds; null when that cannot be had. */
  look(): Promise<ToldAccount | null>;
}

export const NOT_DONE = 'We couldn’t reach our server, so nothing has changed. Please try again.';

export function useAccount(token: string, onAccount: (account: ToldAccount) => void) {
  const [state, setState] = useState<AccountState>({ name: 'loading' });
  const [busy, setBusy] = useState<string | null>(null);

  const loaded = (account: ToldAccount) => {
    // While the provider is away, what it said last stays, with what somebody has typed beside it.
    setState((known) =>
      account.away && known.name === 'loaded'
        ? { name: 'loaded', account: { ...account, running: known.account.running } }
        : { name: 'loaded', account },
    );
    onAccount(account);
    return account;
  };
  const fetchAccount = () => fetchCall(GET_ACCOUNT, readAccount, { body: { token } });

  // Only a new link, or a wish to try again, has it fetched.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each render creates a new function
  useEffect(() => {
    if (state.name !== 'loading') return;
    let left = false;
    fetchAccount().then(
      (account) => !left && loaded(account),
      () => !left && setState({ name: 'failed' }),
    );
    return () => {
      left = true;
    };
  }, [state.name, token]);

  const acting: Acting = {
    busy,
    async act(name, call) {
      setBusy(name);
      try {
        loaded(await call());
        return null;
      } catch (error) {
        // What holds now is shown beside the reason.
        if (error instanceof CallError) await acting.look();
        return reasonOf(error, NOT_DONE);
      } finally {
        setBusy(null);
      }
    },
    look: () => fetchAccount().then(loaded, () => null),
  };
  const again = () =>
    state.name === 'loaded' ? void acting.look() : setState({ name: 'loading' });
  return { state, again, acting };
}
