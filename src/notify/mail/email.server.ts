/** An email as its writers compose it: said once, then set as HTML and as plain text. */
import { type PriceLine, SALES_TAX } from '../../catalogue/pricing.ts';
import type { Company } from '../../company/company.ts';
import { type Cents, cents, formatDollars } from '../../platform/money.ts';
import type { StaffMessage, Writer } from '../staff-message.server.ts';

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

/** What staff get; their reply to it goes to the visitor. */
export function staffEmail(message: StaffMessage, { company, publicUrl }: Writer): Email {
  const { title, warning, suspicious, facts, text, lines, reply, staffUrl } = message;
  const total = cents(lines.reduce((sum, line) => sum + line.amount, 0));
  const from = reply?.name ? ` from ${reply.name}` : '';
  return {
    subject: `${suspicious ? 'Possible spam: ' : ''}${title}${from}`,
    heading: title,
    parts: [
      ...(warning ? [{ kind: 'warning' as const, text: warning }] : []),
      { kind: 'facts', facts },
      ...(text === null ? [] : [{ kind: 'quote' as const, text }]),
      ...(lines.length === 0 ? [] : [{ kind: 'prices' as const, lines, total }]),
      ...(reply ? [`Your reply to this email will go to ${reply.email}.`] : []),
      { kind: 'link', label: 'Open the staff area', url: staffUrl },
    ],
    footer: [`Sent by the ${company.name} website, ${publicUrl}`],
    replyTo: reply
      ? { name: reply.name ?? '', address: reply.email }
      : { name: company.name, address: company.email },
  };
}

/**
 * What customers get, without its greeting and the address for answers, which are the same in all of them. The address may
 * have been typed by somebody else, so nothing that a visitor wrote is repeated to it: no message, and the name only when
 * it can be nothing but a name.
 */
export interface CustomerEmail extends Omit<Email, 'replyTo'> {
  to: string;
  /** As it was given. */
  name: string;
}

export function customerEmail({ to: _, name, ...email }: CustomerEmail, company: Company): Email {
  return {
    ...email,
    parts: [greeting(name), ...email.parts],
    replyTo: { name: company.name, address: company.email },
  };
}

const MOST_WORDS = 4;
const LETTERS_OF_A_NAME = /^[\p{L}\p{M}.'’ -]{2,50}$/u;
/** What a mail program would make a link of. */
const LIKE_A_DOMAIN = /\.\p{L}{2}/u;

function greeting(name: string): string {
  const isName =
    LETTERS_OF_A_NAME.test(name) &&
    !LIKE_A_DOMAIN.test(name) &&
    name.split(' ').length <= MOST_WORDS;
  return isName ? `Hello ${name},` : 'Hello,';
}
