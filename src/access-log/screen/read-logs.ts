/** The log's answers as the screen reads them: what analytics do not tell is null or empty, and is left out. */
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

const NO_CODES: Record<string, number> = {};

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

export const readAnalyticsAnswer = fields({ ...outcome, analytics: or(readAnalytics, null) });

export const readLogsAnswer = fields({ ...outcome, logs: or(text, '') });
