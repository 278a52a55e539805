/** Renders the structured text of articles and legal pages in a column of about 65 characters. */
import { Fragment, type ReactNode } from 'react';
import {
  type Block,
  type Heading,
  type Inline,
  inlineText,
  type RichText as Text,
} from '../platform/rich-text.ts';

export function RichText({ text }: { text: Text }) {
  return (
    <div className="max-w-text sm:text-[1.125rem]/7.5 [&>p:first-child]:text-ink sm:[&>p:first-child]:text-lg">
      {renderBlocks(text)}
    </div>
  );
}

/** Blocks are never reordered, so the index is a safe key. */
function renderBlocks(text: Text): ReactNode {
  return text.map((block, index) => (
    <Fragment key={index.toString()}>{renderBlock(block)}</Fragment>
  ));
}

function renderBlock(block: Block): ReactNode {
  switch (block.kind) {
    case 'heading':
      return <TextHeading heading={block} />;
    case 'paragraph':
      return <p className="mt-5 first:mt-0">{renderInlines(block.content)}</p>;
    case 'list':
      return <TextList list={block} />;
    case 'quote':
      return (
        <blockquote className="mt-5 border-l-2 border-primary pl-5 text-ink">
          {renderBlocks(block.content)}
        </blockquote>
      );
    case 'code':
      return (
        <pre className="mt-5 rounded-control bg-paper-deep p-4 text-sm wrap-anywhere whitespace-pre-wrap">
          <code>{block.text}</code>
        </pre>
      );
    case 'table':
      return <TextTable table={block} />;
  }
}

const HEADINGS = {
  2: 'mt-12 text-xl sm:mt-14 sm:text-[1.75rem] sm:leading-8.5 tracking-tight',
  3: 'mt-8 text-lg',
  4: 'mt-6 text-base',
};

function TextHeading({ heading: { level, id, content } }: { heading: Heading }) {
  const Tag = `h${level}` as const;
  return (
    <Tag id={id} className={`${HEADINGS[level]} break-after-avoid first:mt-0`}>
      {renderInlines(content)}
    </Tag>
  );
}

const ALIGNED = { left: 'text-left', center: 'text-center', right: 'text-right' };

/** Scrolls sideways where it is wider than the screen. */
function TextTable({ table: { columns, rows } }: { table: Extract<Block, { kind: 'table' }> }) {
  const [head = [], ...body] = rows;
  const cells = (row: typeof head, Tag: 'th' | 'td', look: string) =>
    row.map((cell, place) => (
      <Tag
        key={place.toString()}
        scope={Tag === 'th' ? 'col' : undefined}
        className={`${look} ${ALIGNED[columns[place] ?? 'left']}`}
      >
        {renderInlines(cell)}
      </Tag>
    ));
  return (
    <section
      aria-label={`Table: ${head.map(inlineText).join(', ')}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls
      tabIndex={0}
      className="mt-5 overflow-x-auto first:mt-0"
    >
      <table className="min-w-full border-collapse text-sm tabular-nums">
        <thead className="border-y border-line bg-paper text-xs text-muted">
          <tr>{cells(head, 'th', 'px-3 py-2 font-medium')}</tr>
        </thead>
        <tbody className="divide-y divide-line">
          {body.map((row, index) => (
            <tr key={index.toString()} className="break-inside-avoid">
              {cells(row, 'td', 'min-w-28 px-3 py-2.5 align-top')}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function TextList({ list }: { list: Extract<Block, { kind: 'list' }> }) {
  const items = list.items.map((item, index) => (
    <li key={index.toString()} className="mt-2 pl-1.5 marker:text-muted">
      {itemContent(item)}
    </li>
  ));
  return list.ordered ? (
    // What to do: the last heading's list.
    <ol
      start={list.start}
      className="mt-5 list-decimal pl-6 [h2+&:not(:has(~h2))]:framed [h2+&:not(:has(~h2))]:bg-primary-soft"
    >
      {items}
    </ol>
  ) : (
    // In short: the list above the first heading.
    <ul className="mt-5 list-disc pl-6 [&:has(~h2):not(h2~&)]:framed">{items}</ul>
  );
}

/** Most items are a single paragraph, which needs no <p>. */
function itemContent(item: Text): ReactNode {
  const [first, ...rest] = item;
  if (first?.kind !== 'paragraph') return renderBlocks(item);
  return (
    <>
      {renderInlines(first.content)}
      {renderBlocks(rest)}
    </>
  );
}

function renderInlines(content: readonly Inline[]): ReactNode {
  return content.map((part, index) => (
    <Fragment key={index.toString()}>{renderInline(part)}</Fragment>
  ));
}

function renderInline(part: Inline): ReactNode {
  if (typeof part === 'string') return part;
  switch (part.kind) {
    case 'strong':
      return <strong className="font-semibold text-ink">{renderInlines(part.content)}</strong>;
    case 'emphasis':
      return <em>{renderInlines(part.content)}</em>;
    case 'code':
      return (
        <code className="rounded bg-paper-deep px-1.5 py-0.5 text-[0.9em] wrap-anywhere text-ink">
          {part.text}
        </code>
      );
    case 'link':
      return <TextLink href={part.href}>{renderInlines(part.content)}</TextLink>;
  }
}

/** In print, the URL of an external link follows it. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  const isExternal = href.startsWith('https:');
  return (
    <a
      href={href}
      rel={isExternal ? 'noopener' : undefined}
      className={`text-primary underline underline-offset-4 hover:text-primary-deep ${
        isExternal ? "wrap-anywhere print:after:content-['_('_attr(href)_')']" : ''
      }`}
    >
      {children}
    </a>
  );
}
