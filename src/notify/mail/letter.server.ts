/** A letter as its writers compose it: said once here, then set as HTML and as plain text. */
import type { PriceLine } from '../../catalogue/pricing.ts';
import type { Cents } from '../../platform/money.ts';

export type Part =
  | { kind: 'paragraph'; text: string }
  | { kind: 'warning'; text: string }
  | { kind: 'facts'; facts: readonly [label: string, value: string][] }
  /** Words that somebody else wrote. */
  | { kind: 'quote'; text: string }
  /** The breakdown of a monthly price; without lines the total alone. */
  | { kind: 'prices'; lines: readonly PriceLine[]; total: Cents }
  | { kind: 'link'; label: string; url: string };

export interface Letter {
  subject: string;
  heading: string;
  parts: Part[];
  /** Who sends it and why it came, in small print. */
  footer: string[];
  replyTo: { name: string; address: string };
}

export const TOTAL_LABEL = 'Total per month';

/** 'Business Premium, 20 × $22.00'; a single unit needs no arithmetic. */
export function priceLabel(
  { label, quantity, unitPrice }: PriceLine,
  format: (amount: Cents) => string,
): string {
  return quantity === 1 ? label : `${label}, ${quantity} × ${format(unitPrice)}`;
}
