/** The log's calls as the screen makes them, and the words for what can go wrong. */
import { useQuery } from '@tanstack/react-query';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { READ_ANALYTICS, READ_LOG } from './access-log-api.ts';

export const LOGS = ['logs'];

export const useAnalytics = () =>
  useView('analytics', 'Failed to fetch analytics', (signal) =>
    fetchCall(READ_ANALYTICS, { signal }),
  );

export const useLines = () =>
  useView('lines', 'Failed to fetch logs', (signal) => fetchCall(READ_LOG, { signal }));

/** `failure` is shown when the server gives no reason of its own. */
function useView<Answer extends { success: boolean; message: string }>(
  view: string,
  failure: string,
  fetchView: (signal: AbortSignal) => Promise<Answer>,
) {
  return useQuery({
    queryKey: [...LOGS, view],
    queryFn: async ({ signal }) => {
      const answer = await fetchView(signal).catch((error: unknown) => {
        // A session that has ended is the frame's matter.
        if (error instanceof CallError && error.status === 401) throw error;
        if (error instanceof CallError) throw new Error(error.reason || failure);
        throw new Error(error instanceof SyntaxError ? failure : 'Error connecting to server');
      });
      if (!answer.success) throw new Error(answer.message || failure);
      return answer;
    },
    refetchOnMount: 'always',
  });
}
