/** The log's calls, with the words for what can go wrong. */
import { useQuery } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import type { analyticsAnswer, logsAnswer } from './analytics.ts';

export const LOGS = ['logs'];

const ANALYTICS_EVERY_MS = 10_000;
/** A thousandfold the bytes of the figures. */
const LINES_EVERY_MS = 30_000;

export function useAnalytics(live: boolean) {
  return useQuery({
    queryKey: [...LOGS, 'analytics'],
    queryFn: async ({ signal }) => {
      const url = '/api/admin/logs/analytics';
      return ask<z.infer<typeof analyticsAnswer>>(url, 'Failed to fetch analytics', signal);
    },
    refetchOnMount: 'always',
    refetchInterval: live && ANALYTICS_EVERY_MS,
  });
}

export function useLines(live: boolean) {
  return useQuery({
    queryKey: [...LOGS, 'lines'],
    queryFn: async ({ signal }) => {
      const url = '/api/admin/logs';
      return ask<z.infer<typeof logsAnswer>>(url, 'Failed to fetch logs', signal);
    },
    refetchOnMount: 'always',
    refetchInterval: live && LINES_EVERY_MS,
  });
}

interface Answer {
  success: boolean;
  message?: string;
}

/** `failure` is said when the server gives no reason of its own. */
async function ask<Expected extends Answer>(
  url: string,
  failure: string,
  signal: AbortSignal,
): Promise<Expected> {
  const answer = await fetchJson<Expected>(url, { signal }).catch((error: unknown) => {
    // A session that has ended is the frame's matter.
    if (error instanceof CallError && error.status === 401) throw error;
    if (error instanceof CallError) throw new Error(error.reason ?? failure);
    throw new Error('Error connecting to server');
  });
  if (!answer.success) throw new Error(answer.message ?? failure);
  return answer;
}
