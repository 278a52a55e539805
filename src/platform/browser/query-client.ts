import {
  QueryClient,
  type QueryClientConfig,
  QueryClientProvider,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { createElement, type ReactNode, useState } from 'react';
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

/** Around a part of a public page that makes calls; the first screen, which makes none, goes without the library. */
export function QueryScope({ children }: { children: ReactNode }) {
  const [client] = useState(newQueryClient);
  return createElement(QueryClientProvider, { client }, children);
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
