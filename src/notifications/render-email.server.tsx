/** The HTML of an email, with everything that its text says. */
import { Fragment, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { formatDollars } from '../platform/money.ts';
import {
  AT_RIGHT,
  LOGO_HEIGHT,
  type Look,
  lookOf,
  PRIMARY,
  SCREENS,
  STYLES,
  WIDTHS,
  withoutBreaks,
} from './email-styles.server.ts';
import { LINE_END, type Prices, priceRows } from './email-text.server.ts';
import type { Email, EmailPart, Toned } from './notification.server.ts';

/** A heading such as '$1,389.00 paid'. */
const LEADING_SUM = /^(\$[\d,.]+) (.+)$/;

/**
 * HTML for Outlook, which shows emails with Word's engine: tables, and space only within cells.
 * What must be read does not need its style's background, which some programs drop.
 */
export function emailHtml(email: Email): string {
  const content = email.heading === undefined ? <Letter {...email} /> : <Sheet {...email} />;
  return `<!doctype html>${renderToStaticMarkup(<Page {...email}>{content}</Page>)}`;
}

function Page({ subject, heading, parts, children }: Email & { children: ReactNode }) {
  const look = heading === undefined ? 'letter' : 'page';
  const first = parts.find((part) => typeof part === 'string');
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
        {/* What a list of mails shows beside the subject: else the names of its pictures. */}
        {heading && <div style={STYLES.preview}>{first}</div>}
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
  const { greeting, heading = '', under, urgent = false, parts, footer } = email;
  const [, sum, words = heading] = LEADING_SUM.exec(heading) ?? [];
  return (
    <tr>
      <td align="center" className="outer" style={{ padding: '32px 12px' }}>
        <Table look={urgent ? 'urgent' : 'sheet'} width="600">
          <Line look="head" classes="heading pad">
            <Wordmark {...email} />
          </Line>
          <Line look="part" classes="pad">
            <h1 className="heading" style={sum ? STYLES['after-sum'] : STYLES.heading}>
              {sum && <span style={STYLES.sum}>{sum} </span>}
              <span
                className={urgent ? 'danger' : undefined}
                style={{ ...STYLES.words, ...(urgent && STYLES.danger) }}
              >
                <Words text={words} />
              </span>
            </h1>
            {under && (
              <p className="label" style={STYLES.under}>
                <Words text={under} />
              </p>
            )}
          </Line>
          {greeting && (
            <Line look="greeting" classes="body pad">
              {greeting}
            </Line>
          )}
          {parts.map((part, index) => (
            <Line
              key={index.toString()}
              look={lookOf(part, index === parts.length - 1)}
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
              <td
                key={what.text}
                className="figure"
                width={`${Math.floor(100 / part.figures.length)}%`}
                valign="top"
                style={STYLES.figure}
              >
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

/** A person's lines and blanks, as they were typed. */
function Words({ text }: { text: string }) {
  return text.split(LINE_END).map((line, index) => (
    <Fragment key={index.toString()}>
      {index > 0 && <br />}
      {withoutBreaks(line)}
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
  const rows = priceRows(prices);
  // A larger one would not fit three columns.
  const total = isCompared ? 'bold' : 'total';
  const isRuled = rows.map(({ isSum }, index) => isSum && !rows[index - 1]?.isSum);
  return (
    <Table look={isCompared ? 'compared' : 'prices'} width="100%">
      {isCompared && (
        <tr>
          <Cell look="item" />
          <Cell look="was">Today</Cell>
          <Cell look="was">New</Cell>
        </tr>
      )}
      {rows.map(({ name, detail, amount, was, isTotal }, index) => (
        <tr key={index.toString()}>
          <Cell look="item" isSum={isRuled[index]} weight={isTotal && total}>
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
            <Cell look="was" isSum={isRuled[index]}>
              {was !== undefined && formatDollars(was)}
            </Cell>
          )}
          <Cell
            look={was === amount ? 'was' : 'amount'}
            isSum={isRuled[index]}
            weight={was === undefined ? isTotal && total : was !== amount && 'bold'}
          >
            {formatDollars(amount)}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

/** A dot in its color, and always a word. */
function Marked({ tone, text }: Toned) {
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
  weight?: 'bold' | 'total' | false;
  children?: ReactNode;
}

function Cell({ look, isSum = false, weight = false, children }: CellProps) {
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
        ...(weight && STYLES[weight]),
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
