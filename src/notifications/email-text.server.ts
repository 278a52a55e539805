/** The plain text of an email, which says everything that its HTML does. */
import {
  lineInParts,
  listedLines,
  monthInWords,
  type Price,
  quantityInWords,
  SALES_TAX,
} from '../catalogue/pricing.ts';
import { type Cents, formatDollars } from '../platform/money.ts';
import type { Email, EmailPart } from './notification.server.ts';

export type Prices = Extract<EmailPart, { kind: 'prices' | 'sums' }>;

interface PriceRow {
  name: string;
  /** Of one or more lines. */
  detail?: string | undefined;
  amount: Cents;
  /** Today's, where there is a new one. */
  was?: Cents | undefined;
  /** Of what is above it. */
  isSum?: boolean;
  /** The sum that counts. */
  isTotal?: boolean;
}

const ONCE = 'once';

export function priceRows(prices: Prices): PriceRow[] {
  if (prices.kind === 'sums')
    return prices.sums.map((sum, at) => {
      const isTotal = at === prices.sums.length - 1;
      return { ...sum, isSum: isTotal, isTotal };
    });
  const { price, today, paid, onceTax } = prices;
  const { total, tax, once } = price;
  // A new price may end a discount, which then is in the plan's line alone.
  const linesOf = today?.discount && !price.discount ? (each: Price) => each.lines : listedLines;
  const before = linesOf(today ?? price);
  return [
    ...linesOf(price).map((line, at): PriceRow => {
      const former = before[at] ?? line;
      const [detail, earlier] = [quantityInWords(line), quantityInWords(former)];
      return {
        name: lineInParts(line).name,
        detail: detail === earlier ? detail : `${earlier} → ${formatDollars(line.unitPrice)}`,
        amount: line.amount,
        was: today && former.amount,
      };
    }),
    ...(tax ? [{ name: SALES_TAX, amount: tax }] : []),
    ...(paid === total
      ? []
      : [
          {
            name: monthInWords(price),
            amount: total,
            was: today?.total,
            isSum: true,
            isTotal: paid === undefined,
          },
        ]),
    ...once.map(({ label, amount }) => ({ name: label, detail: ONCE, amount })),
    ...(onceTax ? [{ name: SALES_TAX, detail: ONCE, amount: onceTax }] : []),
    ...(paid === undefined
      ? []
      : [{ name: 'Amount paid', amount: paid, isSum: true, isTotal: true }]),
  ];
}

/** Everything that some program takes for the end of a line. */
export const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

/** The plain-text form, with a visitor's words quoted by '> '. */
export function emailText({ greeting, heading, under, parts, footer }: Email): string {
  const about = footer.length > 0 ? ['-- ', ...footer].join('\n') : undefined;
  const head = under ? `${heading}\n${under}` : heading;
  const all = [head, greeting, ...parts.map(partText), about];
  const blocks = all.filter((block) => block !== undefined);
  return `${blocks.join('\n\n').split(LINE_END).join('\n')}\n`;
}

export function speaksOfMoney(parts: readonly EmailPart[]): boolean {
  return parts.some((part) => partText(part).includes('$'));
}

function partText(part: EmailPart): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'words':
      return part.words
        .map((word) => {
          if (typeof word === 'string') return word;
          return word.url.startsWith('http') ? `${word.label} (${word.url})` : word.label;
        })
        .join('');
    case 'heading':
      return part.text;
    case 'list':
      return part.items.map((item, at) => `${at + 1}. ${item.join(': ')}`).join('\n');
    case 'figures':
      return part.figures.map(([count, { text }]) => `${count} ${text}`).join(', ');
    case 'signature':
      return `${part.name}\n${part.text}`;
    case 'warning':
      return `! ${part.text}`;
    case 'facts':
      return columns(
        part.facts.map(([label, value, mark]) => [label, mark ? `${value}: ${mark.text}` : value]),
      );
    case 'quote':
      return part.head
        ? [
            '_'.repeat(32),
            ...part.head.map(([label, value]) => `${label}: ${value}`),
            '',
            part.text,
          ].join('\n')
        : part.text
            .split(LINE_END)
            .map((line) => `> ${line}`)
            .join('\n');
    case 'prices':
    case 'sums':
      return priceRows(part).map(priceLine).join('\n');
    case 'link':
      return `${part.label}: ${part.url}`;
  }
}

/** The amount first, so that a long name ends its line wherever it must. */
function priceLine({ name, detail, amount, was }: PriceRow): string {
  const former = was === undefined ? '' : ` (was ${formatDollars(was)})`;
  const words = detail === ONCE ? `${name}, ${ONCE}` : [name + former, detail].join('\n').trim();
  return `${formatDollars(amount).padStart(10)}  ${words.replaceAll('\n', `\n${' '.repeat(12)}`)}`;
}

function columns(rows: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...rows.map(([label]) => label.length)) + 3;
  return rows
    .map(([label, value]) => {
      const lines = value.split(LINE_END).join(`\n${' '.repeat(width)}`);
      return `${label}:`.padEnd(width) + lines;
    })
    .join('\n');
}
