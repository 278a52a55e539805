/** Quotes, and the links that lead to them. */
import type { Generated } from 'kysely';
import type { Ms365Option } from '../catalogue/pricing.ts';
import type { Flag } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    quotes: QuoteTable;
    quoteLinks: QuoteLinkTable;
  }
}

interface QuoteTable {
  id: number;
  name: string;
  email: string;
  company: string | null;
  /** Printed on the quote. */
  note: string | null;
  planId: number;
  /** As it was then. */
  planName: string;
  ms365Option: Ms365Option;
  ms365Users: number;
  includeCloudBackup: Flag;
  /** What is charged a month, the discount taken off the plan: JSON of `PriceLine[]`. */
  priceLines: string;
  amountCents: number;
  /** Null also where the discount was given in dollars. */
  discountPercent: number | null;
  discountCents: number;
  discountReason: string | null;
  /** Who of staff made it; null for a visitor's own. */
  madeBy: string | null;
  createdAt: number;
  changedAt: number;
  expiresAt: number;
  withdrawnAt: number | null;
  /** When its page was opened by somebody who is not staff: first, last, and how often. */
  openedAt: number | null;
  lastOpenedAt: number | null;
  opened: Generated<number>;
  /** How many of the reminders have been sent, or will not be. */
  reminded: Generated<number>;
  remindersStopped: Generated<Flag>;
}

/** The quote's address holds the token, the database its hash; each email brings a token of its own. */
interface QuoteLinkTable {
  tokenHash: string;
  quoteId: number;
}
