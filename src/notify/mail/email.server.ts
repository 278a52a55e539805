/** An email: what is the same in all of them, and all of it as plain text. */
import { type PriceLine, SALES_TAX } from '../../catalogue/pricing.ts';
import type { Company } from '../../company/company.ts';
import { cents, formatDollars } from '../../platform/money.ts';
import type {
  CustomerEmail,
  Email,
  Part,
  StaffMessage,
  Writer,
} from '../notification-kind.server.ts';

type PriceRow = [label: string, amount: string];
type PricesPart = Extract<Part, { kind: 'prices' }>;

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

const COLUMNS = 72;

/** As plain text: 72 columns for our own words, a visitor's words as they came behind a mark. */
export function emailText({ heading, parts, footer }: Email): string {
  const blocks = [heading, ...parts.map(partText), ['-- ', ...footer].join('\n')];
  return `${blocks.join('\n\n')}\n`;
}

function partText(part: Part): string {
  if (typeof part === 'string') return wrap(part);
  switch (part.kind) {
    case 'warning':
      return wrap(`! ${part.text}`);
    case 'facts':
      return columns(part.facts.map(([label, value]) => [`${label}:`, value]));
    case 'quote':
      return part.text.replace(/^/gm, '> ');
    case 'prices':
      return columns([...priceRows(part), [TOTAL_LABEL, formatDollars(part.total)]], 'right');
    case 'link':
      return `${part.label}: ${part.url}`;
  }
}

function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function columns(
  rows: readonly (readonly [string, string])[],
  align: 'left' | 'right' = 'left',
): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  return rows
    .map(
      ([label, value]) =>
        `${label.padEnd(left)}  ${align === 'right' ? value.padStart(right) : value}`,
    )
    .join('\n');
}
