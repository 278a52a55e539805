/** What staff ask of the access log: the calls and what they answer. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list, moment } from '../platform/schema.ts';

/** The clock hours (UTC) that reach into the last 24 hours. A figure that makes no sense is null, and not shown. */
const analytics = z.object({
  totalRequests: fallback(z.nullable(count), null),
  /** Different pairs of address and user agent. */
  uniqueVisitors: fallback(z.nullable(count), null),
  /** Milliseconds; 0 without requests. */
  responseTimeAvg: fallback(z.nullable(z.number().check(z.nonnegative())), null),
  /** Requests by status code ('200'). */
  httpStatusCodes: fallback(z.record(z.string(), count), {}),
  /** Visits by path, most visited first; at most 20. */
  mostVisitedPages: fallback(list(z.object({ url: z.string(), count })), []),
  /** 25 hours, oldest first, hours without requests included; the last one is not over yet. */
  hourly: fallback(
    z.nullable(
      list(
        z.object({
          /** When the hour begins: 2026-05-13T09:00:00.000Z. */
          hour: moment,
          requests: count,
          /** Those answered with 5xx. */
          errors: fallback(count, 0),
        }),
      ),
    ),
    null,
  ),
});

export type Analytics = z.output<typeof analytics>;

/** Beside the view itself, in every answer about the log; `message` is '' when there is nothing to say. */
const outcome = {
  success: fallback(z.boolean(), false),
  message: fallback(z.string(), ''),
};

export const READ_ANALYTICS = contract('GET /api/admin/logs/analytics', {
  answer: z.object({ ...outcome, analytics: fallback(z.nullish(analytics), null) }),
});
/** The newest 5,000 lines of the last 24 hours, newest first: combined log format with the microseconds taken last. */
export const READ_LOG = contract('GET /api/admin/logs', {
  answer: z.object({ ...outcome, logs: fallback(z.optional(z.string()), '') }),
});
/** A file of CSV. */
export const DOWNLOAD_LOG = contract('GET /api/admin/logs/download');
