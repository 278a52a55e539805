import {
  QueryClient,
  type QueryClientConfig,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { CallError } from '../fetch-call.ts';

/** As specified: nothing is refetched by itself, turns stale or is retried. Offline, a call fails instead of waiting. */
export function newQueryClient(
  caches: Pick<QueryClientConfig, 'queryCache' | 'mutationCache'> = {},
): QueryClient {
  return new QueryClient({
    ...caches,
    defaultOptions: {
      queries: {
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

/** Whether a call failed because no session, or none any more, admits to it. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}

/** Reloads everything on the screen. `busy`: a requested reload has not finished yet. */
export function useReload() {
  const queryClient = useQueryClient();
  const asking = useMutation({ mutationFn: () => queryClient.invalidateQueries() });
  return { busy: asking.isPending, reload: () => asking.mutate() };
}
