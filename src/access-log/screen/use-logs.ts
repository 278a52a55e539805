/** The log's calls, with the words for what can go wrong. */

import { useQuery } from '@tanstack/react-query';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { READ_ANALYTICS, READ_LOG } from '../log-contracts.ts';
import { type Outcome, readAnalyticsAnswer, readLogsAnswer } from './read-logs.ts';

export const LOGS = ['logs'];

const ANALYTICS_EVERY_MS = 10_000;
/** A thousandfold the bytes of the figures. */
const LINES_EVERY_MS = 30_000;

export function useAnalytics(live: boolean) {
  return useQuery({
    queryKey: [...LOGS, 'analytics'],
    queryFn: ({ signal }) =>
      settled(
        fetchCall(READ_ANALYTICS, readAnalyticsAnswer, { signal }),
        'Failed to fetch analytics',
      ),
    refetchOnMount: 'always',
    refetchInterval: live && ANALYTICS_EVERY_MS,
  });
}

export function useLines(live: boolean) {
  return useQuery({
    queryKey: [...LOGS, 'lines'],
    queryFn: ({ signal }) =>
      settled(fetchCall(READ_LOG, readLogsAnswer, { signal }), 'Failed to fetch logs'),
    refetchOnMount: 'always',
    refetchInterval: live && LINES_EVERY_MS,
  });
}

/** `failure` is said when the server gives no reason of its own. */
async function settled<Answer extends Outcome>(
  asked: Promise<Answer>,
  failure: string,
): Promise<Answer> {
  const answer = await asked.catch((error: unknown) => {
    // A session that has ended is the frame's matter.
    if (error instanceof CallError && error.status === 401) throw error;
    if (error instanceof CallError) throw new Error(error.reason || failure);
    throw new Error(error instanceof SyntaxError ? failure : 'Error connecting to server');
  });
  if (!answer.success) throw new Error(answer.message || failure);
  return answer;
}
