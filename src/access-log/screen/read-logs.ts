/** The log's answers as the screen reads them: what analytics do not tell is null or empty, and is left out. */
import { fields, flag, list, number, or, record, text, time } from '../../platform/read.ts';
import type { Analytics } from '../analytics.ts';

type Visited = Analytics['mostVisitedPages'][number];
type Hour = Analytics['hourly'][number];
type Percentiles = Analytics['percentiles'];
type Referrer = Analytics['referrers'][number];

export interface ToldAnalytics extends Pick<Analytics, 'httpStatusCodes' | 'mostVisitedPages'> {
  totalRequests: number | null;
  uniqueVisitors: number | null;
  responseTimeAvg: number | null;
  hourly: Hour[] | null;
  percentiles: Percentiles | null;
  referrers: Referrer[] | null;
  /** Also classes that this version does not know. */
  devices: { device: string; count: number }[] | null;
}

const readAnalytics = fields<ToldAnalytics>({
  totalRequests: or(number, null),
  uniqueVisitors: or(number, null),
  responseTimeAvg: or(number, null),
  httpStatusCodes: or(record(number), {}),
  mostVisitedPages: or(list(fields<Visited>({ url: text, count: number })), []),
  hourly: or(list(fields<Hour>({ hour: time, requests: number, errors: or(number, 0) })), null),
  percentiles: or(fields<Percentiles>({ p50: number, p95: number, p99: number }), null),
  referrers: or(list(fields<Referrer>({ referrer: text, count: number })), null),
  devices: or(
    list(fields<{ device: string; count: number }>({ device: text, count: number })),
    null,
  ),
});

export interface Outcome {
  success: boolean;
  /** '' when the server gives none. */
  message: string;
  /** Lines of the last 24 hours from before this time had no room; null when none is missing. */
  linesMissingUntil: string | null;
}

const outcome = {
  success: or(flag, false),
  message: or(text, ''),
  linesMissingUntil: or(time, null),
};

export const readAnalyticsAnswer = fields<Outcome & { analytics: ToldAnalytics | null }>({
  ...outcome,
  analytics: or(readAnalytics, null),
});

export const readLogsAnswer = fields<Outcome & { logs: string }>({
  ...outcome,
  logs: or(text, ''),
});
