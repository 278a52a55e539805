/**
 * Who is signed in, as far as this document knows. The flag in the browser only decides what is drawn first. Access
 * depends on the session cookie, and a 401 from any call signs out here too.
 */
import { MutationCache, QueryCache, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { isSignedOut, newQueryClient } from '../platform/browser/query-client.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { carryToast, showToast } from '../ui/toast/toast.ts';
import { type Credentials, GET_SESSION, SIGN_IN, SIGN_OUT } from './staff-api.ts';

export type LoginState =
  /** The session is being fetched. */
  | { name: 'reading' }
  /** `expired`: the session has ended while the page was open. */
  | { name: 'out'; expired: boolean }
  /** The name is '' when the server did not give it. */
  | { name: 'in'; username: string }
  /** The session is being ended; then the document is left. */
  | { name: 'leaving'; username: string }
  /** The server cannot be reached. */
  | { name: 'unknown' };

interface Login {
  state: LoginState;
  /** Asks the server again. */
  read(): void;
  /** Throws a CallError with the server's reason, or a TypeError when it cannot be reached. */
  signIn(credentials: Credentials): Promise<void>;
  signOut(): Promise<void>;
}

const LoginContext = createContext<Login | null>(null);

export function useLogin(): Login {
  const login = useContext(LoginContext);
  if (!login) throw new Error('useLogin outside of a LoginProvider');
  return login;
}

declare module '@tanstack/react-query' {
  interface Register {
    /** `failure`: what a toast says each time that the query fails. */
    queryMeta: { failure?: string };
  }
}

/** Provides the query client of staff's pages too, since any of their calls may find that the session has ended. */
export function LoginProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<LoginState>(READING);
  const [queryClient] = useState(() => {
    /** A 401 before anyone has signed in, such as for a wrong password, ends no session. */
    const expireIfSignedOut = (error: unknown) => {
      if (isSignedOut(error)) setState((now) => (now.name === 'in' ? EXPIRED : now));
    };
    return newQueryClient({
      queryCache: new QueryCache({
        onError(error, { meta }) {
          expireIfSignedOut(error);
          if (meta?.failure && !isSignedOut(error))
            showToast({ title: 'Error', description: meta.failure, variant: 'destructive' });
        },
      }),
      mutationCache: new MutationCache({ onError: expireIfSignedOut }),
    });
  });
  useEffect(() => {
    if (state !== EXPIRED) return;
    setFlag(false);
    queryClient.clear();
  }, [state, queryClient]);

  const read = useCallback(() => {
    if (!hasFlag()) return setState({ name: 'out', expired: false });
    setState(READING);
    fetchCall(GET_SESSION).then(
      (session) => setState({ name: 'in', ...session }),
      (error) => {
        // Only a 401 leads to the sign-in. After any other failure, each screen says what it could not load.
        if (isSignedOut(error)) setState(EXPIRED);
        else setState(isAway(error) ? { name: 'unknown' } : { name: 'in', username: '' });
      },
    );
  }, []);

  useEffect(read, [read]);
  useOtherTabs(state.name === 'in', read);

  const login: Login = {
    state,
    read,
    async signIn(credentials) {
      const { username } = await fetchCall(SIGN_IN, { body: credentials });
      setFlag(true);
      setState({ name: 'in', username: username || credentials.username });
      showToast({ title: 'Successfully logged in', description: 'Welcome to the admin dashboard' });
    },
    async signOut() {
      // The screens are gone before the session ends, so that none of them makes a call.
      setState((now) => (now.name === 'in' ? { ...now, name: 'leaving' } : now));
      try {
        await fetchCall(SIGN_OUT);
      } catch {
        setState(state);
        showToast({
          title: 'Error',
          description: 'We couldn’t log you out. Please try again.',
          variant: 'destructive',
        });
        return;
      }
      setFlag(false);
      queryClient.clear();
      // The browser may keep this document, and show it again after the back button.
      flushSync(() => setState(READING));
      carryToast({ title: 'Logged out', description: 'You have been logged out successfully' });
      window.location.assign('/');
    },
  };
  return (
    <QueryClientProvider client={queryClient}>
      <LoginContext value={login}>{children}</LoginContext>
    </QueryClientProvider>
  );
}

const READING: LoginState = { name: 'reading' };
const EXPIRED: LoginState = { name: 'out', expired: true };

/** No answer, or a temporary refusal. */
function isAway(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof CallError && error.status === 503);
}

const FLAG = 'admin_authenticated';

/** All tabs share the flag. In a browser that forbids storage, staff sign in again for each document. */
function hasFlag(): boolean {
  try {
    return localStorage.getItem(FLAG) === 'true';
  } catch {
    return false;
  }
}

function setFlag(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(FLAG, 'true');
    else localStorage.removeItem(FLAG);
  } catch {
    // Storage is forbidden, so there is no flag.
  }
}

/** Asks the server again after a sign-in or sign-out in another tab, and when the page comes back from the browser’s cache. */
function useOtherTabs(signedIn: boolean, onChange: () => void) {
  useEffect(() => {
    const onStorage = ({ key, storageArea }: StorageEvent) => {
      const concerned = storageArea === localStorage && (key === FLAG || key === null);
      if (concerned && hasFlag() !== signedIn) onChange();
    };
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onChange();
    };
    window.addEventListener('storage', onStorage);
    window.addEventListener('pageshow', onPageShow);
    return () => {
      window.removeEventListener('storage', onStorage);
      window.removeEventListener('pageshow', onPageShow);
    };
  }, [signedIn, onChange]);
}
