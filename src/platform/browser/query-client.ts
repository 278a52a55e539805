import {
  QueryClient,
  type QueryClientConfig,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { CallError } from '../fetch-call.ts';

/** Fetches on every mount, never by itself; never stale, no retries; offline, a call fails. */
export function newQueryClient(
  caches: Pick<QueryClientConfig, 'queryCache' | 'mutationCache'> = {},
): QueryClient {
  return new QueryClient({
    ...caches,
    defaultOptions: {
      queries: {
        refetchOnMount: 'always',
        refetchInterval: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        staleTime: Number.POSITIVE_INFINITY,
        retry: false,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** Whether a call failed because there is no session, or it has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

/** Refetches every query on the screen. `busy`: a reload is in progress. */
export function useReload() {
  const queryClient = useQueryClient();
  const reloading = useMutation({ mutationFn: () => queryClient.invalidateQueries() });
  return { busy: reloading.isPending, reload: () => reloading.mutate() };
}
