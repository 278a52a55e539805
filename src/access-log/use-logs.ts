/** The log's calls as the screen makes them, and the words for what can go wrong. */
import { useQuery } from '@tanstack/react-query';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { fields, flag, list, number, or, type Read, record, text, time } from '../platform/read.ts';
import { READ_ANALYTICS, READ_LOG } from './access-log-api.ts';

export const LOGS = ['logs'];

const NO_CODES: Record<string, number> = {};

/** Figures that are missing are null or empty, and not shown. */
const readAnalytics = fields({
  totalRequests: or(number, null),
  uniqueVisitors: or(number, null),
  responseTimeAvg: or(number, null),
  httpStatusCodes: or(record(number), NO_CODES),
  mostVisitedPages: or(list(fields({ url: text, count: number })), []),
  hourly: or(list(fields({ hour: time, requests: number, errors: or(number, 0) })), null),
});

export type ShownAnalytics = Read<typeof readAnalytics>;

/** `message` is '' when the server gives none. */
const outcome = { success: or(flag, false), message: or(text, '') };
const readAnalyticsAnswer = fields({ ...outcome, analytics: or(readAnalytics, null) });
const readLogsAnswer = fields({ ...outcome, logs: or(text, '') });

export const useAnalytics = () =>
  useView('analytics', 'Failed to fetch analytics', (signal) =>
    fetchCall(READ_ANALYTICS, readAnalyticsAnswer, { signal }),
  );

export const useLines = () =>
  useView('lines', 'Failed to fetch logs', (signal) =>
    fetchCall(READ_LOG, readLogsAnswer, { signal }),
  );

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
