/** What came from each source, for staff. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list, signedDollars } from '../platform/schema.ts';

export const SOURCE_PERIODS = [30, 90] as const;

const sourceSums = z.object({
  /** One of SOURCE_PERIODS: the days until now. */
  days: count,
  source: z.string(),
  /** Begun by people. */
  visits: fallback(count, 0),
  /** Chats, too. */
  messages: fallback(count, 0),
  quotes: fallback(count, 0),
  /** Those that were paid. */
  orders: fallback(count, 0),
  /** What these orders have paid so far, without what was refunded. */
  money: signedDollars,
});
export type SourceSums = z.output<typeof sourceSums>;

/** By period; those with the most money, then orders, come first. */
export const READ_SOURCES = contract('GET /api/admin/sources', {
  answer: z.object({ sources: list(sourceSums) }),
});
export const DOWNLOAD_SOURCES = contract('GET /api/admin/sources/download');
