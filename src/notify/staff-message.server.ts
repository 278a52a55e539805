/** What staff are notified of, before it becomes a card or an email: who, what, when, and how to answer. */
import type { PriceLine } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';

/** What every card and email is written with. */
export interface Writer {
  company: Company;
  /** The site's own origin. */
  publicUrl: string;
  /** The page that shows a customer the order with this id, without a sign-in. */
  customerPage(id: number): string;
  /** A new link to the quote with this id. */
  quotePage(id: number): Promise<string>;
}

export interface StaffMessage {
  /** Our own words only: it names the reference and nothing that a visitor wrote. */
  title: string;
  suspicious: boolean;
  warning: string | null;
  facts: [label: string, value: string][];
  /** The visitor's own words. */
  text: string | null;
  lines: PriceLine[];
  /** Whom an answer goes to, and its subject. */
  reply: { name: string | null; email: string; subject: string } | null;
  /** Where staff find it. */
  staffUrl: string;
}
