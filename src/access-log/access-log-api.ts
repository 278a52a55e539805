/** What staff ask of the access log: the calls and the shapes of their answers. */
import * as z from 'zod/mini';
import type { Contract } from '../platform/contract.ts';

const count = z.int().check(z.nonnegative());

/** The clock hours (UTC) that reach into the last 24 hours. */
export const analyticsSchema = z.object({
  totalRequests: count,
  /** Different pairs of address and user agent. */
  uniqueVisitors: count,
  /** Milliseconds; 0 without requests. */
  responseTimeAvg: z.number().check(z.nonnegative()),
  /** Requests by status code ('200'). */
  httpStatusCodes: z.record(z.string(), count),
  /** Visits by path, most visited first; at most 20. */
  mostVisitedPages: z.array(z.object({ url: z.string(), count })),
  /** 25 hours, oldest first, hours without requests included; the last one is not over yet. */
  hourly: z.array(
    z.object({
      /** When the hour begins: 2026-05-13T09:00:00.000Z. */
      hour: z.string(),
      requests: count,
      /** Those answered with 5xx. */
      errors: count,
    }),
  ),
});

export type Analytics = z.infer<typeof analyticsSchema>;

export const analyticsAnswer = z.object({
  success: z.boolean(),
  analytics: z.optional(analyticsSchema),
  message: z.string(),
});

/** The newest 5,000 lines of the last 24 hours, newest first: combined log format with the microseconds taken last. */
export const logsAnswer = z.object({
  success: z.boolean(),
  logs: z.optional(z.string()),
  message: z.string(),
});

export const READ_ANALYTICS: Contract<null, typeof analyticsAnswer> =
  'GET /api/admin/logs/analytics';
export const READ_LOG: Contract<null, typeof logsAnswer> = 'GET /api/admin/logs';
/** A file of CSV. */
export const DOWNLOAD_LOG: Contract = 'GET /api/admin/logs/download';
