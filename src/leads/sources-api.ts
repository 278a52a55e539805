/** What came from each source, for staff. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list, signedDollars } from '../platform/schema.ts';

export const SOURCE_PERIODS = [30, 90] as const;

/** Visits are those of people, messages include chats, and orders are those that were paid. */
export const SOURCE_COLUMNS = ['visits', 'messages', 'quotes', 'orders', 'money'] as const;

const sums = z.object({
  source: z.string(),
  visits: fallback(count, 0),
  messages: fallback(count, 0),
  quotes: fallback(count, 0),
  orders: fallback(count, 0),
  /** What these orders have paid so far, without what was refunded. */
  money: signedDollars,
});
export type SourceSums = z.output<typeof sums>;

/** `days` in the query is one of SOURCE_PERIODS, by default the first. The last of `sources` is their total. */
export const READ_SOURCES = contract('GET /api/admin/sources', {
  answer: z.object({ sources: list(sums) }),
});
/** A CSV file; takes the same query. */
export const DOWNLOAD_SOURCES = contract('GET /api/admin/sources/download');
