/** An email as its writers compose it: said once, then set as HTML and as plain text. */
import { type PriceLine, SALES_TAX } from '../../catalogue/pricing.ts';
import { type Cents, formatDollars } from '../../platform/money.ts';

/** A bare text is a paragraph. */
export type Part =
  | string
  | { kind: 'warning'; text: string }
  | { kind: 'facts'; facts: readonly [label: string, value: string][] }
  /** Words that somebody else wrote. */
  | { kind: 'quote'; text: string }
  /** The breakdown of a monthly price, with what the provider adds to it; without lines the total alone. */
  | { kind: 'prices'; lines: readonly PriceLine[]; tax?: Cents; total: Cents }
  | { kind: 'link'; label: string; url: string };

type PriceRow = [label: string, amount: string];
type PricesPart = Extract<Part, { kind: 'prices' }>;

export interface Email {
  subject: string;
  heading: string;
  parts: Part[];
  /** Who sends it and why it came, in small print. */
  footer: string[];
  replyTo: { name: string; address: string };
}

export const TOTAL_LABEL = 'Total per month';

/** The rows of a breakdown above its total, in words. */
export function priceRows({ lines, tax }: PricesPart): PriceRow[] {
  const rows = lines.map((line): PriceRow => [priceLabel(line), formatDollars(line.amount)]);
  return tax ? [...rows, [SALES_TAX, formatDollars(tax)]] : rows;
}

/** 'Professional plan', 'Microsoft 365 Business Premium, 20 users × $22.00'. */
function priceLabel({ kind, label, quantity, unitPrice }: PriceLine): string {
  if (kind === 'plan') return `${label} plan`;
  return `${label}, ${quantity} ${quantity === 1 ? 'user' : 'users'} × ${formatDollars(unitPrice)}`;
}
