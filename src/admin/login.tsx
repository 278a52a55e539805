/**
 * Who is signed in, as far as this document knows. The flag in the browser only decides what is drawn first;
 * what admits is the session cookie, and a 401 from any call ends the matter here too.
 */
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { carryToast, showToast } from '../ui/toast.ts';

const FLAG = 'admin_authenticated';

export type LoginState =
  /** The stored state is being read, or the document is about to be left. */
  | { name: 'reading' }
  /** `expired`: there was a session until now. */
  | { name: 'out'; expired: boolean }
  | { name: 'in'; username: string }
  /** The server did not say. */
  | { name: 'unknown' };

interface Login {
  state: LoginState;
  /** Asks the server again. */
  read(): void;
  /** Throws a CallError with the server's reason, or a TypeError when it cannot be reached. */
  signIn(credentials: { username: string; password: string }): Promise<void>;
  signOut(): Promise<void>;
}

const LoginContext = createContext<Login | null>(null);

export function useLogin(): Login {
  const login = useContext(LoginContext);
  if (!login) throw new Error('useLogin outside of a LoginProvider');
  return login;
}

export function LoginProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<LoginState>({ name: 'reading' });
  const queryClient = useQueryClient();

  const expire = useCallback(() => {
    localStorage.removeItem(FLAG);
    queryClient.clear();
    setState({ name: 'out', expired: true });
  }, [queryClient]);
  const read = useCallback(() => {
    if (localStorage.getItem(FLAG) !== 'true') return setState({ name: 'out', expired: false });
    setState({ name: 'reading' });
    fetchJson<{ username: string } | null>('/api/admin/session', { unauthorized: 'null' }).then(
      (session) => (session ? setState({ name: 'in', username: session.username }) : expire()),
      () => setState({ name: 'unknown' }),
    );
  }, [expire]);

  useEffect(read, [read]);
  useExpiry(expire);
  useOtherTabs(state.name === 'in', read);

  const login: Login = {
    state,
    read,
    async signIn(credentials) {
      const { username } = await fetchJson<{ username: string }>('/api/admin/login', {
        method: 'POST',
        body: credentials,
      });
      localStorage.setItem(FLAG, 'true');
      setState({ name: 'in', username });
      showToast({ title: 'Successfully logged in', description: 'Welcome to the admin dashboard' });
    },
    async signOut() {
      // Nothing is asked any more on behalf of a session that is about to end.
      setState({ name: 'reading' });
      try {
        await fetchJson('/api/admin/logout', { method: 'POST' });
      } catch {
        setState(state);
        showToast({
          title: 'Error',
          description: 'The server did not log you out. Please try again.',
          variant: 'destructive',
        });
        return;
      }
      localStorage.removeItem(FLAG);
      carryToast({ title: 'Logged out', description: 'You have been logged out successfully' });
      window.location.assign('/');
    },
  };
  return <LoginContext value={login}>{children}</LoginContext>;
}

function isExpired(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

/** Hears of every 401 that a query or a mutation gets, in the middle of work. */
function useExpiry(expired: () => void) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const caches = [queryClient.getQueryCache(), queryClient.getMutationCache()];
    const stops = caches.map((cache) =>
      cache.subscribe((event: { type: string; action?: { type: string; error?: unknown } }) => {
        if (event.action?.type === 'error' && isExpired(event.action.error)) expired();
      }),
    );
    return () => {
      for (const stop of stops) stop();
    };
  }, [queryClient, expired]);
}

/** Signing in or out in another tab counts here as well, and a page that the way back revives asks anew. */
function useOtherTabs(signedIn: boolean, changed: () => void) {
  useEffect(() => {
    const hear = ({ key, storageArea }: StorageEvent) => {
      const concerned = storageArea === localStorage && (key === FLAG || key === null);
      if (concerned && (localStorage.getItem(FLAG) === 'true') !== signedIn) changed();
    };
    const revived = ({ persisted }: PageTransitionEvent) => {
      if (persisted) changed();
    };
    window.addEventListener('storage', hear);
    window.addEventListener('pageshow', revived);
    return () => {
      window.removeEventListener('storage', hear);
      window.removeEventListener('pageshow', revived);
    };
  }, [signedIn, changed]);
}
