import { QueryClient, type QueryClientConfig } from '@tanstack/react-query';
import { type Contract, callUrl, type Schema, type UrlParts } from '../contract.ts';
import { CallError, fetchCall } from '../fetch-call.ts';

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

/** What `useQuery` needs to make a call. The key begins with the call's path. */
export function callQuery<Answer extends Schema>(
  call: Contract<null, Answer>,
  parts: UrlParts = {},
) {
  return {
    queryKey: [call.path, callUrl(call, parts)],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchCall(call, { ...parts, signal }),
  };
}

/** Whether a call failed because there is no session, or it has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof CallError && error.status === 401;
}
