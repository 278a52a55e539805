/** What the access log tells staff about the last 24 hours: the shapes of its calls, shared by server and screens. */
import * as z from 'zod/mini';

export const deviceClasses = ['desktop', 'phone', 'tablet', 'bot', 'unknown'] as const;
export type DeviceClass = (typeof deviceClasses)[number];

const count = z.int().check(z.nonnegative());
const milliseconds = z.number().check(z.nonnegative());

export const analyticsSchema = z.object({
  totalRequests: count,
  /** Different pairs of address and agent, within 2 %. */
  uniqueVisitors: count,
  /** Milliseconds; 0 without requests. */
  responseTimeAvg: milliseconds,
  /** Requests by status code ('200'). */
  httpStatusCodes: z.record(z.string(), count),
  /** Visits by path, most visited first; at most 20. */
  mostVisitedPages: z.array(z.object({ url: z.string(), count })),
  /** 24 or 25 clock hours (UTC), oldest first, hours without requests included; the first and the last are parts. */
  hourly: z.array(
    z.object({
      /** When the hour begins: 2026-05-13T09:00:00.000Z. */
      hour: z.string(),
      requests: count,
      /** Those answered with 5xx. */
      errors: count,
    }),
  ),
  /** Half, 95 % and 99 % of the requests were answered within so many milliseconds (within 3 %); 0 without requests. */
  percentiles: z.object({ p50: milliseconds, p95: milliseconds, p99: milliseconds }),
  /** Visits by the other site that led here (its host, such as 'news.example'); '-' for none; at most 20. */
  referrers: z.array(z.object({ referrer: z.string(), count })),
  /** Requests by device class, most first. */
  devices: z.array(z.object({ device: z.enum(deviceClasses), count })),
});

export type Analytics = z.infer<typeof analyticsSchema>;

/**
 * Some requests of the last 24 hours up to this moment (ISO 8601) are counted but have no line any more; null or
 * absent when all have theirs.
 */
const linesMissingUntil = z.optional(z.nullable(z.string()));

export const analyticsAnswer = z.object({
  success: z.boolean(),
  analytics: z.optional(analyticsSchema),
  linesMissingUntil,
  message: z.optional(z.string()),
});

/** Lines in the combined format with the microseconds taken last, newest first. */
export const logsAnswer = z.object({
  success: z.boolean(),
  logs: z.optional(z.string()),
  linesMissingUntil,
  message: z.optional(z.string()),
});
