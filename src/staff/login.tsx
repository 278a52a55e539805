/** Who is signed in. The flag in localStorage decides what is drawn first; the cookie admits. */
import { MutationCache, QueryCache, QueryClientProvider } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { sharedFlag } from '../platform/browser/browser-storage.ts';
import { isSignedOut, newQueryClient } from '../platform/browser/query-client.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { STAFF_PAGES } from '../routes.ts';
import { showError, showToast, showToastAfterNavigation } from '../ui/toast/toast.ts';
import { followSignOut, forgetDrafts, rereadDrafts } from './drafts.ts';
import {
  type Credentials,
  GET_SESSION,
  SIGN_IN,
  SIGN_OUT,
  type SignInMethods,
} from './staff-api.ts';

type LoginState =
  | { status: 'loading' }
  /** `expired`: the session ended while the page was open. */
  | { status: 'signed-out'; expired: boolean }
  /** The username is '' if the server did not send it. */
  | { status: 'signed-in'; username: string; mustSetUp?: boolean; workAccount?: boolean }
  | { status: 'signing-out'; username: string }
  | { status: 'unreachable' };

interface Login {
  state: LoginState;
  /** Colleagues can come in with the company's own accounts. */
  hasWorkAccounts: boolean;
  refresh(): void;
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

/** '' if the server did not send it. */
export function useUsername(): string {
  const { state } = useLogin();
  return 'username' in state ? state.username : '';
}

declare module '@tanstack/react-query' {
  interface Register {
    /** `failure`: the toast's text. `inBackground`: its refusal does not sign staff out. */
    queryMeta: { failure?: string; inBackground?: boolean };
  }
}

/** Also provides the query client: any of its calls may find that the session has ended. */
export function LoginProvider({
  methods,
  children,
}: {
  methods: SignInMethods;
  children: ReactNode;
}) {
  const [state, setState] = useState<LoginState>(LOADING);
  const [queryClient] = useState(() => {
    /** A 401 before sign-in, as for a wrong password, is no expired session. */
    const expireIfSignedOut = (error: unknown) => {
      if (isSignedOut(error)) setState((now) => (now.status === 'signed-in' ? EXPIRED : now));
    };
    return newQueryClient({
      queryCache: new QueryCache({
        onError(error, { meta }) {
          if (!meta?.inBackground) expireIfSignedOut(error);
          if (meta?.failure && !isSignedOut(error)) showError(meta.failure);
        },
      }),
      mutationCache: new MutationCache({ onError: expireIfSignedOut }),
    });
  });
  useEffect(() => {
    if (state !== EXPIRED) return;
    flag.set(false);
    queryClient.clear();
  }, [state, queryClient]);

  const refresh = useCallback(() => {
    const isBackFromWork = new URLSearchParams(window.location.search).get('work') === 'in';
    if (isBackFromWork) flag.set(true);
    if (!flag.isSet()) {
      rereadDrafts();
      return setState({ status: 'signed-out', expired: false });
    }
    setState(LOADING);
    fetchCall(GET_SESSION).then(
      (session) => {
        setState({ status: 'signed-in', ...session });
        if (isBackFromWork) showToast(WELCOME);
      },
      (error) => {
        // Only a 401 leads to the sign-in page. Otherwise each screen says what it lacks.
        if (isSignedOut(error)) setState(EXPIRED);
        else if (isUnreachable(error)) setState({ status: 'unreachable' });
        else setState({ status: 'signed-in', username: '' });
      },
    );
  }, []);

  useEffect(refresh, [refresh]);
  useEffect(followSignOut, []);
  useSyncAcrossTabs(state.status === 'signed-in', refresh);

  const login: Login = {
    state,
    hasWorkAccounts: methods.work !== null,
    refresh,
    async signIn(credentials) {
      const { username } = await fetchCall(SIGN_IN, { body: credentials });
      const session = await fetchCall(GET_SESSION).catch((error: unknown) => {
        if (isSignedOut(error))
          throw new CallError(401, '', JSON.stringify({ message: NO_COOKIES }));
      });
      flag.set(true);
      setState({
        status: 'signed-in',
        username: username || credentials.username,
        mustSetUp: session?.mustSetUp,
      });
      showToast(WELCOME);
    },
    async signOut() {
      // Unmount the screens before the session ends, so that none of them makes a call.
      setState((now) => (now.status === 'signed-in' ? { ...now, status: 'signing-out' } : now));
      try {
        await fetchCall(SIGN_OUT);
      } catch {
        setState(state);
        showError(STILL_IN);
        return;
      }
      flag.set(false);
      forgetDrafts();
      queryClient.clear();
      // The back/forward cache may keep this document and show it again.
      flushSync(() => setState(LOADING));
      showToastAfterNavigation(LOGGED_OUT);
      const isAtWork = state.status === 'signed-in' && state.workAccount;
      window.location.assign(
        isAtWork && methods.work?.canSignOut ? `${STAFF_PAGES.signIn.path}?work=out` : '/',
      );
    },
  };
  return (
    <QueryClientProvider client={queryClient}>
      <LoginContext value={login}>{children}</LoginContext>
    </QueryClientProvider>
  );
}

const WELCOME = { title: 'Successfully logged in', description: 'Welcome to the admin dashboard' };

const LOGGED_OUT = {
  title: 'Logged out',
  description: 'You have been logged out successfully',
};
const STILL_IN = 'We couldn’t log you out. Please try again.';

const LOADING: LoginState = { status: 'loading' };
const EXPIRED: LoginState = { status: 'signed-out', expired: true };

/** No response, or a 503. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof CallError && error.status === 503);
}

const NO_COOKIES =
  'This browser keeps no cookies for this site. Please allow them, then sign in again.';

/** Where storage is blocked, staff sign in again in each document. */
const flag = sharedFlag('admin_authenticated');

/** Fetches the session again when another tab or the back/forward cache may have changed it. */
function useSyncAcrossTabs(signedIn: boolean, onChange: () => void) {
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onChange();
    };
    addEventListener('pageshow', onPageShow);
    const unfollow = flag.onChange(() => {
      if (flag.isSet() !== signedIn) onChange();
    });
    return () => {
      removeEventListener('pageshow', onPageShow);
      unfollow();
    };
  }, [signedIn, onChange]);
}
