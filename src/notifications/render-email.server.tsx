/** Both forms of an email: plain text and HTML, each with everything that the other says. */
import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import {
  lineInParts,
  listedLines,
  monthInWords,
  type Price,
  quantityInWords,
  SALES_TAX,
} from '../catalogue/pricing.ts';
import { type Cents, formatDollars } from '../platform/money.ts';
import type { Email, EmailPart, Mark } from './notification.server.ts';

type Prices = Extract<EmailPart, { kind: 'prices' | 'sums' }>;

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

function priceRows(prices: Prices): PriceRow[] {
  if (prices.kind === 'sums')
    return prices.sums.map((sum, at) => {
      const isTotal = at === prices.sums.length - 1;
      return { ...sum, isSum: isTotal, isTotal };
    });
  const { price, today, paid } = prices;
  const { startsOn, total, tax, once } = price;
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
    {
      name: startsOn ? monthInWords(price) : 'Total per month',
      amount: total,
      was: today?.total,
      isSum: true,
      isTotal: paid === undefined,
    },
    ...once.map(({ label, amount }) => ({ name: label, detail: 'once', amount })),
    ...(paid === undefined
      ? []
      : [{ name: 'Amount paid', amount: paid, isSum: true, isTotal: true }]),
  ];
}

/** Everything that some program takes for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

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
  const words = [name, ...(detail ? detail.split('\n') : [])].join(', ');
  const former = was === undefined ? '' : ` (was ${formatDollars(was)})`;
  return `${formatDollars(amount).padStart(10)}  ${words}${former}`;
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

/**
 * HTML for Outlook, which shows emails with Word's engine: tables, and space only within cells.
 * What must be read does not need its style's background, which some programs drop.
 */
export function emailHtml(email: Email): string {
  const content = email.heading === undefined ? <Letter {...email} /> : <Sheet {...email} />;
  return `<!doctype html>${renderToStaticMarkup(<Page {...email}>{content}</Page>)}`;
}

function Page({ subject, heading, children }: Email & { children: ReactNode }) {
  const look = heading === undefined ? 'letter' : 'page';
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{SCREENS}</style>
      </head>
      <body className={look} style={{ ...STYLES[look], margin: 0, padding: 0 }}>
        <Table look={look} width="100%">
          {children}
        </Table>
      </body>
    </html>
  );
}

/** As a person writes: no card, no heading, and the message that is answered below. */
function Letter({ parts }: Email) {
  return parts.map((part, index) => (
    <Line key={index.toString()} look="lines" classes="body">
      <Part part={part} />
    </Line>
  ));
}

function Sheet(email: Email) {
  const { greeting, heading = '', under, parts, footer } = email;
  const [, sum, words = heading] = LEADING_SUM.exec(heading) ?? [];
  const body = [...(greeting ? [greeting] : []), ...parts];
  return (
    <tr>
      <td align="center" className="outer" style={{ padding: '32px 12px' }}>
        <Table look="sheet" width="600">
          <Line look="head" classes="heading pad">
            <Wordmark {...email} />
          </Line>
          <Line look="part" classes="pad">
            <h1 className="heading" style={sum ? STYLES['after-sum'] : STYLES.heading}>
              {sum && <span style={STYLES.sum}>{sum} </span>}
              <span style={STYLES.words}>
                <Words text={words} />
              </span>
            </h1>
            {under && (
              <p className="label" style={STYLES.under}>
                <Words text={under} />
              </p>
            )}
          </Line>
          {body.map((part, index) => (
            <Line
              key={index.toString()}
              look={lookOf(part, index === body.length - 1)}
              classes="body pad"
            >
              <Part part={part} />
            </Line>
          ))}
          <Line look="footer" classes="footer pad">
            <Footer lines={footer} />
          </Line>
        </Table>
      </td>
    </tr>
  );
}

function lookOf(part: EmailPart, isLast: boolean): Look {
  if (isLast) return 'last';
  return typeof part !== 'string' && part.kind === 'heading' ? 'above' : 'part';
}

/** As a picture of both grounds; where pictures are off, and without one, in letters. */
function Wordmark({ logos = [], wordmark }: Email) {
  if (logos.length === 0) return wordmark;
  return logos.map(({ id, png }) => (
    <img
      key={id}
      className={id}
      src={`cid:${id}`}
      // Of low priority, or React adds a link that preloads it.
      fetchPriority="low"
      width={Math.round((LOGO_HEIGHT * png.readUInt32BE(16)) / png.readUInt32BE(20))}
      height={LOGO_HEIGHT}
      alt={wordmark}
      style={STYLES[id]}
    />
  ));
}

function Footer({ lines }: { lines: readonly string[] }) {
  return lines.map((line, index) => (
    <Fragment key={index.toString()}>
      {index > 0 && <br />}
      {/^https?:/.test(line) ? (
        <a href={line} style={STYLES.site}>
          {new URL(line).host}
        </a>
      ) : (
        <Words text={line} />
      )}
    </Fragment>
  ));
}

interface LineProps {
  look: Look;
  classes: string;
  children: ReactNode;
}

function Line({ look, classes, children }: LineProps) {
  return (
    <tr>
      <td align="left" className={classes} style={STYLES[look]}>
        {children}
      </td>
    </tr>
  );
}

function Part({ part }: { part: EmailPart }) {
  if (typeof part === 'string') return <Words text={part} />;
  switch (part.kind) {
    case 'words':
      return part.words.map((word, index) =>
        typeof word === 'string' ? (
          <Words key={index.toString()} text={word} />
        ) : (
          <a key={index.toString()} className="inline" href={word.url} style={STYLES.inline}>
            <Words text={word.label} />
          </a>
        ),
      );
    case 'heading':
      return (
        <h2 className="heading" style={STYLES.subhead}>
          {part.text}
        </h2>
      );
    case 'list':
      return (
        <ol style={STYLES.list}>
          {part.items.map(([what, words]) => (
            <li key={what} style={STYLES.entry}>
              <b className="heading" style={STYLES.item}>
                {what}:
              </b>{' '}
              <Words text={words} />
            </li>
          ))}
        </ol>
      );
    case 'figures':
      return (
        <Table look="facts" width="100%">
          <tr>
            {part.figures.map(([count, what]) => (
              <td key={what.text} className="figure" valign="top" style={STYLES.figure}>
                <b className="heading" style={STYLES.count}>
                  {count}
                </b>
                <br />
                <Marked {...what} />
              </td>
            ))}
          </tr>
        </Table>
      );
    case 'signature':
      return (
        <>
          <b style={STYLES.name}>{part.name}</b>
          <br />
          <Words text={part.text} />
        </>
      );
    case 'warning':
      return <Box look="warning" text={part.text} />;
    case 'quote':
      return part.head ? (
        <Table look="rows" width="100%">
          <tr>
            <td className="earlier" style={STYLES.earlier}>
              {part.head.map(([label, value]) => (
                <Fragment key={label}>
                  <b>{label}:</b> <Words text={value} />
                  <br />
                </Fragment>
              ))}
              <p style={STYLES.answered}>
                <Words text={part.text} />
              </p>
            </td>
          </tr>
        </Table>
      ) : (
        <Box look="quote" text={part.text} />
      );
    case 'facts':
      return (
        <Table look="facts" width="100%">
          {part.facts.map(([label, value, mark], index) =>
            mark ? (
              <tr key={index.toString()}>
                <Cell look="marked">
                  <Words text={value} />{' '}
                  <span className="label" style={STYLES.cite}>
                    {label}
                  </span>
                </Cell>
                <Cell look="state">
                  <Marked {...mark} />
                </Cell>
              </tr>
            ) : (
              <tr key={index.toString()}>
                <Cell look="label">{label}</Cell>
                <Cell look="value">
                  <Words text={value} />
                </Cell>
              </tr>
            ),
          )}
        </Table>
      );
    case 'prices':
    case 'sums':
      return <PriceTable {...part} />;
    case 'link':
      return <ButtonLink {...part} />;
  }
}

/** The look's style for the light theme, and its class for the dark one. */
type Look = keyof typeof STYLES;

/** Blanks at which no line may break. */
const BLANKS = [
  // At the start of a line, and before others.
  /^ | (?= )/g,
  // '8:30 AM to 5:30 PM ET'.
  /(?<=:\d\d) (?=[AP]M)|(?<=[AP]M) (?=[A-Z]+T\b|to \d)|(?<=[AP]M to) (?=\d)/g,
  // 'May 28, 2026'.
  /(?<=[a-z]) (?=\d{1,2}, \d{4})|(?<=[a-z] \d{1,2},) (?=\d{4})/g,
  // '$9.00 a month', also without the sum before it.
  /(?<=\d) (?=a month)|(?<=(?:[\d ]|^)a) (?=month)/g,
  // 'Marietta, GA 30060'.
  /(?<=,) (?=[A-Z]{2} \d{5})|(?<=, [A-Z]{2}) (?=\d{5})/g,
  // '(800) 555-0199'.
  /(?<=\(\d{3}\)) (?=\d)/g,
];

/** A person's lines and blanks, as they were typed. */
function Words({ text }: { text: string }) {
  return text.split(LINE_END).map((line, index) => (
    <Fragment key={index.toString()}>
      {index > 0 && <br />}
      {BLANKS.reduce(
        (words, blank) => words.replace(blank, '\u00a0'),
        line.replaceAll('\t', '    '),
      )}
    </Fragment>
  ));
}

interface TableProps {
  look: Look;
  width?: string;
  children: ReactNode;
}

function Table({ look, width, children }: TableProps) {
  return (
    <table
      role="presentation"
      className={look}
      width={width}
      border={0}
      cellPadding={0}
      cellSpacing={0}
      style={STYLES[look]}
    >
      <tbody>{children}</tbody>
    </table>
  );
}

function Box({ look, text }: { look: Look; text: string }) {
  return (
    <Table look="rows" width="100%">
      <tr>
        <td className={look} style={STYLES[look]}>
          <Words text={text} />
        </td>
      </tr>
    </Table>
  );
}

function PriceTable(prices: Prices) {
  const isCompared = 'today' in prices;
  return (
    <Table look={isCompared ? 'compared' : 'prices'} width="100%">
      {isCompared && (
        <tr>
          <Cell look="item" />
          <Cell look="was">Today</Cell>
          <Cell look="was">New</Cell>
        </tr>
      )}
      {priceRows(prices).map(({ name, detail, amount, was, isSum, isTotal }, index) => (
        <tr key={index.toString()}>
          <Cell look="item" isSum={isSum} isBold={isTotal}>
            {name}
            {detail && (
              <>
                <br />
                <span className="label" style={STYLES.detail}>
                  <Words text={detail} />
                </span>
              </>
            )}
          </Cell>
          {isCompared && (
            <Cell look="was" isSum={isSum}>
              {was !== undefined && formatDollars(was)}
            </Cell>
          )}
          <Cell
            look={was === amount ? 'was' : 'amount'}
            isSum={isSum}
            isBold={was === undefined ? isTotal : was !== amount}
          >
            {formatDollars(amount)}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** A dot in its color, and always a word. */
function Marked({ tone, text }: Mark) {
  return (
    <>
      <span className={tone} style={STYLES[tone]}>
        {'●\u00a0'}
      </span>
      {text}
    </>
  );
}

interface CellProps {
  look: Look;
  isSum?: boolean | undefined;
  isBold?: boolean | undefined;
  children?: ReactNode;
}

function Cell({ look, isSum = false, isBold = false, children }: CellProps) {
  return (
    <td
      className={isSum ? `${look} sum` : look}
      width={WIDTHS[look]}
      align={AT_RIGHT.includes(look) ? 'right' : 'left'}
      valign="top"
      style={{
        ...STYLES.cell,
        ...STYLES[look],
        ...(isSum && STYLES.summed),
        ...(isBold && STYLES.bold),
      }}
    >
      {children}
    </td>
  );
}

/** Outlook ignores the padding of a link, but not that of a cell. */
function ButtonLink({ label, url }: { label: string; url: string }) {
  return (
    <Table look="around">
      <tr>
        <td {...{ bgcolor: PRIMARY }} style={STYLES.button}>
          <a href={url} style={STYLES.link}>
            {label}
          </a>
        </td>
      </tr>
    </Table>
  );
}

/** A heading such as '$1,389.00 paid'. */
const LEADING_SUM = /^(\$[\d,.]+) (.+)$/;

const LOGO_HEIGHT = 32;
const INK = '#0e1b2a';
const BODY = '#3b4a5a';
const QUIET = '#596675';
const LINE = '1px solid #e5dfd6';
const PAPER = '#faf8f5';
const PRIMARY = '#0f766e';
/** First one that Windows has: Outlook may take Times for a stack that begins with another. */
const FONT = "'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif";
const TEXT: CSSProperties = {
  fontFamily: FONT,
  fontSize: 16,
  lineHeight: '155%',
  color: BODY,
  overflowWrap: 'anywhere',
  textWrap: 'pretty',
};
/** So that a long word is broken, and does not widen its table. */
const FIXED: CSSProperties = { width: '100%', tableLayout: 'fixed', borderCollapse: 'separate' };

const BOLD: CSSProperties = { fontWeight: 'bold' };
const HEADING: CSSProperties = {
  ...TEXT,
  ...BOLD,
  margin: 0,
  fontSize: 26,
  lineHeight: '125%',
  color: INK,
};
/** A block, or a line's room is below it. */
const LOGO: CSSProperties = { display: 'block', maxWidth: '100%', height: 'auto' };
/** Word's own property: it knows no `display`. */
const NOT_IN_OUTLOOK = { msoHide: 'all' };

const WIDTHS: Partial<Record<string, string>> = { label: '128', was: '96', amount: '108' };
const AT_RIGHT: readonly string[] = ['was', 'amount', 'state'];
const SMALL: CSSProperties = { fontSize: 14, lineHeight: '20px' };
const FACT: CSSProperties = { ...SMALL, padding: '2px 12px 2px 0' };
const MARKED: CSSProperties = { ...SMALL, padding: '7px 12px 7px 0', borderBottom: LINE };
const PRICES: CSSProperties = { ...FIXED, paddingBottom: 7, borderBottom: LINE };
const AMOUNT: CSSProperties = {
  paddingLeft: 8,
  paddingRight: 0,
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
};

const STYLES = {
  page: { ...FIXED, backgroundColor: PAPER },
  letter: { ...FIXED, padding: 16 },
  lines: { ...TEXT, padding: '0 0 20px', fontSize: 15, color: INK },
  sheet: {
    ...FIXED,
    // Outlook takes the attribute.
    width: undefined,
    maxWidth: '100%',
    backgroundColor: '#ffffff',
    border: LINE,
    borderTop: `4px solid ${PRIMARY}`,
    borderRadius: 8,
  },
  head: {
    ...TEXT,
    ...BOLD,
    padding: '28px 32px 22px',
    fontSize: 21,
    lineHeight: '32px',
    color: INK,
  },
  logo: LOGO,
  'logo-light': { ...LOGO, ...NOT_IN_OUTLOOK, display: 'none' },
  /** As far below the logo as a sum, whose line is higher. */
  heading: { ...HEADING, margin: '4px 0 0' },
  'after-sum': { ...HEADING, fontSize: 20 },
  sum: { fontSize: 36, lineHeight: '46px' },
  /** Below the sum as a whole where there is no room beside it. */
  words: { display: 'inline-block' },
  under: { margin: '6px 0 0', fontSize: 15, color: QUIET },
  part: { ...TEXT, padding: '0 32px 20px' },
  above: { ...TEXT, padding: '8px 32px 10px' },
  last: { ...TEXT, padding: '0 32px 28px' },
  footer: { ...TEXT, padding: '24px 32px 28px', borderTop: LINE, fontSize: 14, color: QUIET },
  site: { color: 'inherit' },
  inline: { color: PRIMARY, textDecoration: 'underline' },
  subhead: { ...HEADING, fontSize: 18 },
  list: { margin: 0, padding: '0 0 0 24px' },
  entry: { margin: '0 0 8px' },
  figure: { ...TEXT, ...SMALL, paddingRight: 8, overflowWrap: 'normal' },
  count: { fontSize: 28, lineHeight: '36px', color: INK },
  primary: { color: PRIMARY },
  amber: { color: '#b45309' },
  danger: { color: '#b42318' },
  neutral: { color: QUIET },
  name: { fontWeight: 600 },
  warning: {
    ...TEXT,
    padding: '12px 16px',
    borderRadius: 8,
    fontSize: 15,
    backgroundColor: '#fdf2dc',
    color: '#8a5300',
  },
  quote: { ...TEXT, padding: '2px 0 2px 18px', borderLeft: `3px solid ${PRIMARY}` },
  earlier: {
    ...TEXT,
    padding: '0 0 0 14px',
    borderLeft: '3px solid #d3cbbe',
    fontSize: 14,
    color: QUIET,
  },
  answered: { margin: '16px 0 0' },
  rows: FIXED,
  prices: PRICES,
  compared: PRICES,
  /** Its columns are as wide as their words need. */
  facts: { ...FIXED, tableLayout: 'auto' },
  cell: { ...TEXT, padding: '5px 12px 5px 0', fontSize: 15, lineHeight: '145%' },
  label: { ...FACT, color: QUIET, whiteSpace: 'nowrap' },
  value: { ...FACT, color: INK },
  marked: { ...MARKED, color: INK },
  cite: { color: QUIET, whiteSpace: 'nowrap' },
  state: { ...MARKED, paddingRight: 0, whiteSpace: 'nowrap' },
  item: { color: INK },
  /** Also in a bold cell. */
  detail: { fontSize: 14, fontWeight: 'normal', color: QUIET },
  amount: { ...AMOUNT, color: INK },
  was: { ...AMOUNT, color: QUIET },
  summed: { paddingTop: 12, borderTop: LINE },
  bold: BOLD,
  around: { borderCollapse: 'separate' },
  /** Its color is an attribute, which is kept where styles' backgrounds are dropped. */
  button: { padding: '12px 22px', borderRadius: 8 },
  link: {
    fontFamily: FONT,
    fontSize: 16,
    fontWeight: 'bold',
    color: '#ffffff',
    textDecoration: 'none',
  },
} satisfies Record<string, CSSProperties>;

/** Narrow and dark ones. */
const SCREENS = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.outer{padding:16px 6px!important}
.pad{padding-left:20px!important;padding-right:20px!important}
td.label{width:1px}td.was{width:85px}
.figure{font-size:13px!important}.compared td{font-size:14px!important}
.compared td.item{padding-right:0!important}}
@media (prefers-color-scheme:dark){
.logo{display:none!important}.logo-light{display:block!important}
.page,.letter{background-color:#0e1b2a!important}
.sheet{background-color:#152639!important;border-color:#2dd4bf #2b3d51 #2b3d51!important}
.heading,.value,.marked,.item,.amount{color:#ffffff!important}
.body,.figure,.state{color:#d5dde5!important}
.inline,.primary{color:#2dd4bf!important}
.label,.footer,.earlier,.was,.neutral{color:#a9b7c4!important}
.amber{color:#f5b53d!important}.danger{color:#ff9d94!important}
.sum,.footer,.earlier,.prices,.compared,.marked,.state{border-color:#2b3d51!important}
.quote{color:#d5dde5!important;border-color:#2dd4bf!important}
.warning{color:#f5b53d!important;background-color:#3a2c0a!important}}`;
