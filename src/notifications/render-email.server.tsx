/** Both forms of an email: plain text and HTML, each with everything that the other says. */
import type { CSSProperties, ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { lineInWords, SALES_TAX } from '../catalogue/pricing.ts';
import { formatDollars } from '../platform/money.ts';
import type { Email, EmailPart } from './notification.server.ts';

type Row = readonly [label: string, value: string];

/** Labels and amounts of the breakdown, the total last. */
function priceRows({ lines, tax, total }: Extract<EmailPart, { kind: 'prices' }>): Row[] {
  const rows = lines.map((line): Row => [lineInWords(line), formatDollars(line.amount)]);
  if (tax) rows.push([SALES_TAX, formatDollars(tax)]);
  rows.push(['Total per month', formatDollars(total)]);
  return rows;
}

/** The plain-text form, with a visitor's words quoted by '> '. */
export function emailText({ heading, parts, footer }: Email): string {
  const blocks = [heading, ...parts.map(partText), ['-- ', ...footer].join('\n')];
  return `${blocks.join('\n\n')}\n`;
}

function partText(part: EmailPart): string {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'warning':
      return `! ${part.text}`;
    case 'facts':
      return columns(part.facts.map(([label, value]) => [`${label}:`, value]));
    case 'quote':
      return part.text.replace(/^/gm, '> ');
    case 'prices':
      return columns(priceRows(part), 'right');
    case 'link':
      return `${part.label}: ${part.url}`;
  }
}

function columns(rows: readonly Row[], align: 'left' | 'right' = 'left'): string {
  const labelWidth = Math.max(...rows.map(([label]) => label.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  return rows
    .map(
      ([label, value]) =>
        `${label.padEnd(labelWidth)}  ${align === 'right' ? value.padStart(right) : value}`,
    )
    .join('\n');
}

/** The HTML form. It uses tables and inline styles because many mail programs support nothing else. */
export function emailHtml(email: Email): string {
  return `<!doctype html>${renderToStaticMarkup(<Mail {...email} />)}`;
}

function Mail({ subject, heading, parts, footer }: Email) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{DARK}</style>
      </head>
      <body className="page" style={STYLES.page}>
        <Table look="page">
          <tr>
            <td style={{ padding: '32px 16px' }}>
              <Table look="sheet">
                <tr>
                  <td style={{ padding: '32px 32px 24px' }}>
                    <h1 className="heading" style={STYLES.heading}>
                      {heading}
                    </h1>
                    {parts.map((part, index) => (
                      <Part key={index.toString()} part={part} />
                    ))}
                  </td>
                </tr>
                <tr>
                  <td className="footer" style={STYLES.footer}>
                    {footer.map((line) => (
                      <Paragraph key={line} look="quiet" text={line} />
                    ))}
                  </td>
                </tr>
              </Table>
            </td>
          </tr>
        </Table>
      </body>
    </html>
  );
}

function Part({ part }: { part: EmailPart }) {
  if (typeof part === 'string') return <Paragraph look="body" text={part} />;
  switch (part.kind) {
    case 'warning':
    case 'quote':
      return <Paragraph look={part.kind} text={part.text} />;
    case 'facts':
      return <Rows rows={part.facts} looks={['label', 'value']} />;
    case 'prices':
      return <Rows rows={priceRows(part)} looks={['value', 'amount']} />;
    case 'link':
      return <ButtonLink {...part} />;
  }
}

/** The look's style for the light theme, and its class for the dark one. */
type Look = keyof typeof STYLES;

function Paragraph({ look, text }: { look: Look; text: string }) {
  return (
    <p className={look} style={STYLES[look]}>
      {text}
    </p>
  );
}

function Table({ look, children }: { look: Look; children: ReactNode }) {
  return (
    <table role="presentation" className={look} style={STYLES[look]}>
      <tbody>{children}</tbody>
    </table>
  );
}

/** `looks`: of the two columns. The last row of amounts is their total. */
function Rows({ rows, looks }: { rows: readonly Row[]; looks: [Look, Look] }) {
  const isTotal = (index: number) => looks[1] === 'amount' && index === rows.length - 1;
  return (
    <Table look="rows">
      {rows.map((row, index) => (
        <tr key={index.toString()}>
          {looks.map((look, column) => (
            <td
              key={look}
              className={`cell ${look}`}
              style={{ ...STYLES.cell, ...STYLES[look], fontWeight: isTotal(index) ? 650 : 400 }}
            >
              {row[column]}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** Outlook ignores the padding of a link, but not that of a cell. */
function ButtonLink({ label, url }: { label: string; url: string }) {
  return (
    <Table look="around">
      <tr>
        <td className="button" style={STYLES.button}>
          <a className="button" href={url} style={STYLES.link}>
            {label}
          </a>
        </td>
      </tr>
    </Table>
  );
}

const INK = '#0e1b2a';
const BODY = '#3b4a5a';
const QUIET = '#596675';
const LINE = '1px solid #e5dfd6';
const PAPER = '#faf8f5';
const PRIMARY = '#0f766e';
const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const TEXT = { margin: '0 0 16px', fontSize: 16, lineHeight: 1.55, color: BODY };
const BLOCK = { ...TEXT, margin: '0 0 20px' };

const STYLES = {
  page: { width: '100%', margin: 0, padding: 0, borderCollapse: 'collapse', background: PAPER },
  sheet: {
    width: '100%',
    maxWidth: 600,
    margin: '0 auto',
    borderCollapse: 'separate',
    background: '#ffffff',
    border: LINE,
    borderRadius: 14,
    fontFamily: FONT,
  },
  heading: { margin: '0 0 20px', fontSize: 22, lineHeight: 1.3, fontWeight: 650, color: INK },
  footer: { padding: '20px 32px 28px', borderTop: LINE },
  // A colleague's answer has lines of its own.
  body: { ...TEXT, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  quiet: { margin: 0, fontSize: 14, lineHeight: 1.55, color: QUIET },
  warning: {
    ...BLOCK,
    padding: '12px 16px',
    borderRadius: 8,
    fontSize: 15,
    background: '#fdf2dc',
    color: '#8a5300',
  },
  quote: {
    ...BLOCK,
    padding: '14px 18px',
    borderLeft: `3px solid ${PRIMARY}`,
    background: PAPER,
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  rows: { width: '100%', borderCollapse: 'collapse', margin: '0 0 20px' },
  cell: {
    padding: '7px 0',
    fontSize: 15,
    lineHeight: 1.45,
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
    borderBottom: LINE,
  },
  label: { width: 128, color: QUIET },
  value: { color: INK },
  amount: {
    color: INK,
    textAlign: 'right',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  around: { borderSpacing: 0, margin: '4px 0 20px' },
  button: { padding: '11px 20px', borderRadius: 8, background: PRIMARY },
  link: { fontSize: 16, fontWeight: 600, color: '#ffffff', textDecoration: 'none' },
} satisfies Record<string, CSSProperties>;

const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0e1b2a!important}
.sheet{background:#152639!important;border-color:#2b3d51!important}
.heading,.value,.amount{color:#ffffff!important}
.body{color:#d5dde5!important}
.quiet,.label{color:#a9b7c4!important}
.cell,.footer{border-color:#2b3d51!important}
.quote{color:#d5dde5!important;border-color:#2dd4bf!important;background:#0e1b2a!important}
.warning{color:#f5b53d!important;background:#3a2c0a!important}
.button{color:#0e1b2a!important;background:#2dd4bf!important}}`;
