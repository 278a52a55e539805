/** The log's calls, with the words for what can go wrong. */

import { useQuery } from '@tanstack/react-query';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { READ_ANALYTICS, READ_LOG } from '../log-contracts.ts';
import { readAnalyticsAnswer, readLogsAnswer } from './read-logs.ts';

export const LOGS = ['logs'];

const ANALYTICS_EVERY_MS = 10_000;
/** A thousandfold the bytes of the figures. */
const LINES_EVERY_MS = 30_000;

export const useAnalytics = (live: boolean) =>
  useView('analytics', live && ANALYTICS_EVERY_MS, 'Failed to fetch analytics', (signal) =>
    fetchCall(READ_ANALYTICS, readAnalyticsAnswer, { signal }),
  );

export const useLines = (live: boolean) =>
  useView('lines', live && LINES_EVERY_MS, 'Failed to fetch logs', (signal) =>
    fetchCall(READ_LOG, readLogsAnswer, { signal }),
  );

/** `failure` is said when the server gives no reason of its own. */
function useView<Answer extends { success: boolean; message: string }>(
  view: string,
  everyMs: number | false,
  failure: string,
  ask: (signal: AbortSignal) => Promise<Answer>,
) {
  return useQuery({
    queryKey: [...LOGS, view],
    queryFn: async ({ signal }) => {
      const answer = await ask(signal).catch((error: unknown) => {
        // A session that has ended is the frame's matter.
        if (error instanceof CallError && error.status === 401) throw error;
        if (error instanceof CallError) throw new Error(error.reason || failure);
        throw new Error(error instanceof SyntaxError ? failure : 'Error connecting to server');
      });
      if (!answer.success) throw new Error(answer.message || failure);
      return answer;
    },
    refetchOnMount: 'always',
    refetchInterval: everyMs,
  });
}
