/** A printable document: checkable facts about the company, or a sample of its work. */
import { addressLine } from '../company/company.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { useFirstAnswersSentence } from '../threads/first-answers.ts';
import { PrintButton } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import type { SheetBlock, SheetContent } from './sheet.ts';

export default function SheetPage({ content }: { content: SheetContent }) {
  const { legalName, address, phone } = useSite().company;
  const { title, lead, updated, sample, numbered, sections } = content;
  return (
    <>
      <PageTitle title={title} lead={lead}>
        <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-4">
          <p className="text-sm">
            As of <time dateTime={updated}>{formatDate(updated)}</time>
          </p>
          <PrintButton size="small" />
        </div>
      </PageTitle>
      <Container className="py-10 lg:py-16 print:py-4">
        {sample && (
          <div className="mb-10 print:mb-4">
            <Notice kind="warning">{sample}</Notice>
          </div>
        )}
        <div className="grid gap-12 lg:gap-16 print:gap-2">
          {sections.map(({ id, heading, blocks }, place) => (
            <div
              key={id}
              id={id}
              className="grid gap-x-8 gap-y-5 scroll-mt-28 border-t border-line pt-8 lg:grid-cols-12 print:block print:break-inside-avoid print:pt-3"
            >
              <h2 className="text-xl tracking-tight lg:col-span-4 print:text-base">
                {numbered && (
                  <span className="mr-2 text-primary tabular-nums">{`${place + 1}.`}</span>
                )}
                <span>{heading}</span>
              </h2>
              <div className="grid min-w-0 content-start gap-5 lg:col-span-8 print:mt-2 print:gap-2 print:text-[9.5pt] print:leading-snug">
                {blocks.map((block, part) => (
                  // The index is a safe key: blocks never change order.
                  <BlockContent key={`${id}-${part.toString()}`} block={block} sample={!!sample} />
                ))}
              </div>
            </div>
          ))}
        </div>
        <p className="mt-4 hidden text-[8pt] text-muted print:block">
          {`${legalName}, ${addressLine(address)}, ${phone.display}`}
        </p>
      </Container>
    </>
  );
}

function FirstAnswers() {
  const sentence = useFirstAnswersSentence();
  return sentence && <p className="max-w-text">{sentence}</p>;
}

/** `sample`: the figures are made up. Every table says so, since it may be read or copied alone. */
function BlockContent({ block, sample }: { block: SheetBlock; sample: boolean }) {
  switch (block.kind) {
    case 'text':
      return <p className="max-w-text">{block.text}</p>;
    case 'first-answers':
      return <FirstAnswers />;
    case 'list':
      return (
        <ul className="grid max-w-text list-disc gap-2 pl-5 marker:text-primary">
          {block.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      );
    case 'facts':
      return (
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[9rem_1fr]">
          {block.rows.map(([term, value]) => (
            <div key={term} className="contents">
              <dt className="text-sm text-muted max-sm:-mb-3">{term}</dt>
              <dd className="min-w-0 wrap-anywhere text-ink">{value}</dd>
            </div>
          ))}
        </dl>
      );
    case 'figures':
      return (
        <dl className="grid grid-cols-2 gap-4 max-[18rem]:grid-cols-1 xl:grid-cols-4 print:grid-cols-4">
          {block.figures.map(({ value, label, note }) => (
            <div
              key={label}
              className="flex flex-col rounded-card border border-line bg-paper p-4 sm:p-5 print:p-3"
            >
              <dt className="order-2 mt-1 text-sm font-medium text-ink">{label}</dt>
              <dd className="order-1 text-xl font-semibold tracking-tight text-ink tabular-nums">
                {value}
              </dd>
              <dd className="order-3 text-xs text-muted">{note}</dd>
            </div>
          ))}
        </dl>
      );
    case 'table':
      return <SheetTable {...block} sample={sample} />;
    case 'links':
      return (
        <ul className="grid gap-2 text-sm">
          {block.links.map(({ label, href }) => (
            <li key={href}>
              <TextLink href={href}>{label}</TextLink>
            </li>
          ))}
        </ul>
      );
  }
}

type SheetTableProps = Extract<SheetBlock, { kind: 'table' }> & { sample: boolean };

/** On a phone each row is a block under its first cell, with the column headings repeated. */
function SheetTable({ caption, columns, rows, sample }: SheetTableProps) {
  return (
    <table className="w-full border-collapse text-left text-sm max-sm:block print:table print:text-[9pt] print:leading-snug">
      <caption className="pb-2 text-left text-xs text-muted max-sm:block">
        {sample && <span className="font-semibold tracking-wide text-amber">SAMPLE </span>}
        <span>{caption}</span>
      </caption>
      <thead className="border-y border-line bg-paper text-xs text-muted max-sm:sr-only print:not-sr-only print:table-header-group">
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className="px-3 py-2 font-medium print:py-1">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-sm:block max-sm:border-t max-sm:border-line print:table-row-group">
        {rows.map((row) => (
          <tr
            key={row.join(' ')}
            className="max-sm:grid max-sm:gap-y-1 max-sm:py-3 print:table-row print:break-inside-avoid"
          >
            {row.map((cell, place) =>
              place === 0 ? (
                <th
                  key={columns[place]}
                  scope="row"
                  // A citation such as 314.4(c)(5) fits on one line.
                  className="min-w-28 px-3 py-2.5 align-top font-medium text-ink max-sm:p-0 print:py-1"
                >
                  {cell}
                </th>
              ) : (
                <td
                  key={columns[place]}
                  className="px-3 py-2.5 align-top tabular-nums max-sm:grid max-sm:grid-cols-[7.5rem_minmax(0,1fr)] max-sm:gap-x-3 max-[18rem]:grid-cols-1 max-sm:p-0 print:table-cell print:py-1"
                >
                  <span aria-hidden="true" className="text-muted sm:hidden print:hidden">
                    {columns[place]}
                  </span>
                  <span>{cell}</span>
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
