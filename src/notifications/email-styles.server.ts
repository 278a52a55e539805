/** How an email looks: styles of the light theme, and a sheet for narrow and dark screens. */
import type { CSSProperties } from 'react';
import type { EmailPart } from './notification.server.ts';

export const LOGO_HEIGHT = 32;
const INK = '#0e1b2a';
const BODY = '#3b4a5a';
const QUIET = '#596675';
const LINE = '1px solid #e5dfd6';
const PAPER = '#faf8f5';
export const PRIMARY = '#0f766e';
const DANGER = '#b42318';
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

export const WIDTHS: Partial<Record<string, string>> = { label: '128', was: '96', amount: '108' };
export const AT_RIGHT: readonly string[] = ['was', 'amount', 'state'];
const SMALL: CSSProperties = { fontSize: 14, lineHeight: '20px' };
const FACT: CSSProperties = { ...SMALL, padding: '2px 12px 2px 0' };
const MARKED: CSSProperties = { ...SMALL, padding: '7px 12px 7px 0', borderBottom: LINE };
const PRICES: CSSProperties = { ...FIXED, padding: '7px 0 0', borderTop: LINE };
const AMOUNT: CSSProperties = {
  paddingLeft: 8,
  paddingRight: 0,
  whiteSpace: 'nowrap',
  fontVariantNumeric: 'tabular-nums',
};

const SHEET: CSSProperties = {
  ...FIXED,
  // Outlook takes the attribute.
  width: undefined,
  maxWidth: '100%',
  backgroundColor: '#ffffff',
  border: LINE,
  borderTop: `4px solid ${PRIMARY}`,
  borderRadius: '0 0 8px 8px',
};

export const STYLES = {
  page: { ...FIXED, backgroundColor: PAPER },
  letter: { ...FIXED, padding: 16 },
  lines: { ...TEXT, padding: '0 0 20px', fontSize: 15, color: INK },
  sheet: SHEET,
  urgent: { ...SHEET, borderTop: `4px solid ${DANGER}` },
  head: {
    ...TEXT,
    ...BOLD,
    padding: '28px 32px 22px',
    fontSize: 21,
    lineHeight: '32px',
    color: INK,
  },
  preview: { ...NOT_IN_OUTLOOK, display: 'none' },
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
  greeting: { ...TEXT, padding: '0 32px 10px' },
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
  danger: { color: DANGER },
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
  cell: { ...TEXT, padding: '8px 12px 8px 0', fontSize: 15, lineHeight: '145%' },
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
  summed: { borderTop: LINE, paddingTop: 14, paddingBottom: 13 },
  bold: BOLD,
  total: { ...BOLD, fontSize: 18 },
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

/** The look's style for the light theme, and its class for the dark one. */
export type Look = keyof typeof STYLES;

export function lookOf(part: EmailPart, isLast: boolean): Look {
  if (isLast) return 'last';
  return typeof part !== 'string' && part.kind === 'heading' ? 'above' : 'part';
}

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

/** A line with its blanks as typed, and no break within a time, a day or a number. */
export function withoutBreaks(line: string): string {
  return BLANKS.reduce(
    (words, blank) => words.replace(blank, '\u00a0'),
    line.replaceAll('\t', '    '),
  );
}

/** Narrow and dark ones. */
export const SCREENS = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.outer{padding:16px 6px!important}
.pad{padding-left:20px!important;padding-right:20px!important}
td.label{width:1px}td.was{width:80px}
.figure{display:inline-block!important;width:42%!important;padding-bottom:12px!important}.compared td{font-size:14px!important}
.compared td.was,.compared td.amount{font-size:13px!important}
.compared td.item{padding-right:0!important}}
@media (prefers-color-scheme:dark){
.logo{display:none!important}.logo-light{display:block!important}
.page,.letter{background-color:#0f1822!important}
.sheet,.urgent{background-color:#14202c!important;border-color:#2dd4bf #304152 #304152!important}
.urgent{border-top-color:#ff9d94!important}
.heading,.value,.marked,.item,.amount{color:#ffffff!important}
.body,.figure,.state{color:#d5dde5!important}
.inline,.primary{color:#2dd4bf!important}
.label,.footer,.earlier,.was,.neutral{color:#a9b7c4!important}
.amber{color:#f5b53d!important}.danger{color:#ff9d94!important}
.sum,.footer,.earlier,.prices,.compared,.marked,.state{border-color:#304152!important}
.quote{color:#d5dde5!important;border-color:#2dd4bf!important}
.warning{color:#f5b53d!important;background-color:#3a2c0a!important}}`;
