/** The calls that show staff the access log. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { listFilter } from '../platform/list-query.ts';
import { count, fallback, list, timestamp } from '../platform/schema.ts';
import { pageVitals } from './web-vitals-api.ts';

/** The 25 clock hours (UTC) that overlap the last 24 hours. An invalid figure reads as null. */
const analytics = z.object({
  totalRequests: fallback(z.nullable(count), null),
  /** Distinct pairs of IP address and user agent. */
  uniqueVisitors: fallback(z.nullable(count), null),
  /** In milliseconds; 0 without requests. */
  responseTimeAvg: fallback(z.nullable(z.number().check(z.nonnegative())), null),
  /** Requests by status code ('200'). */
  httpStatusCodes: fallback(z.record(z.string(), count), {}),
  /** The 20 most visited paths, most visited first. */
  mostVisitedPages: fallback(list(z.object({ url: z.string(), count })), []),
  /** The 20 most requested addresses that were not found, among the newest 5,000 requests. */
  pathsNotFound: fallback(z.nullable(list(z.object({ url: z.string(), count }))), null),
  /** What visitors of the last 28 days felt, by page. */
  webVitals: fallback(z.nullable(pageVitals), null),
  /** 25 hours, oldest first, including hours without requests; the last is still running. */
  hourly: fallback(
    z.nullable(
      list(
        z.object({
          /** Start of the hour: 2026-05-13T09:00:00.000Z. */
          hour: timestamp,
          requests: count,
          /** Requests answered with 5xx. */
          errors: fallback(count, 0),
        }),
      ),
    ),
    null,
  ),
});

export type Analytics = z.output<typeof analytics>;

/** Part of every answer about the log; `message` may be ''. */
const outcome = {
  success: fallback(z.boolean(), false),
  message: fallback(z.string(), ''),
};

export const READ_ANALYTICS = contract('GET /api/admin/logs/analytics', {
  answer: z.object({ ...outcome, analytics: fallback(z.nullish(analytics), null) }),
});
/** What of the log is shown: days, words of a line, and pages alone. */
export const LOG_FILTER = listFilter('show', ['pages']);
export type LogFilter = ReturnType<typeof LOG_FILTER.read>;

/**
 * The newest 5,000 lines of the last 24 hours, or 2 MB: combined format and microseconds. The query
 * is that of LOG_FILTER, for the file, too.
 */
export const READ_LOG = contract('GET /api/admin/logs', {
  answer: z.object({ ...outcome, logs: fallback(z.optional(z.string()), '') }),
});
export const DOWNLOAD_LOG = contract('GET /api/admin/logs/download');
