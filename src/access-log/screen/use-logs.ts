/** The log's calls, what the screen reads of their answers, and the words for what can go wrong. */
import { useQuery } from '@tanstack/react-query';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import {
  fields,
  flag,
  list,
  number,
  or,
  type Read,
  record,
  text,
  time,
} from '../../platform/read.ts';
import { READ_ANALYTICS, READ_LOG } from '../log-contracts.ts';

export const LOGS = ['logs'];

const ANALYTICS_EVERY_MS = 10_000;
/** A thousandfold the bytes of the figures. */
const LINES_EVERY_MS = 30_000;

const NO_CODES: Record<string, number> = {};

/** Figures that are missing are null or empty, and not shown. */
const readAnalytics = fields({
  totalRequests: or(number, null),
  uniqueVisitors: or(number, null),
  responseTimeAvg: or(number, null),
  httpStatusCodes: or(record(number), NO_CODES),
  mostVisitedPages: or(list(fields({ url: text, count: number })), []),
  hourly: or(list(fields({ hour: time, requests: number, errors: or(number, 0) })), null),
  percentiles: or(fields({ p50: number, p95: number, p99: number }), null),
  referrers: or(list(fields({ referrer: text, count: number })), null),
  /** Also classes that this version does not know. */
  devices: or(list(fields({ device: text, count: number })), null),
});

export type ToldAnalytics = Read<typeof readAnalytics>;

const outcome = {
  success: or(flag, false),
  /** '' when the server gives none. */
  message: or(text, ''),
  /** Lines of the last 24 hours from before this time had no room; null when none is missing. */
  linesMissingUntil: or(time, null),
};

const readAnalyticsAnswer = fields({ ...outcome, analytics: or(readAnalytics, null) });

const readLogsAnswer = fields({ ...outcome, logs: or(text, '') });

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
