/** Text with structure as it stands in a page's data. */

import type { Block, Inline, RichText } from '../rich-text.ts';
import { fields, flag, list, number, oneOf, type Reader, text } from './read.ts';

type Of<Kind extends string, From = Block | Inline> = Extract<From, { kind: Kind }>;
type Marked = Of<'emphasis' | 'strong', Inline>;

// Functions, for a text may stand in a text.
const blocks: Reader<RichText> = (value) => list(readBlock)(value);
const inlines: Reader<readonly Inline[]> = (value) => list(readInline)(value);
const kind = <Kind extends string>(...kinds: Kind[]) => oneOf(kinds);

const readMarked = fields<Marked>({ kind: kind('emphasis', 'strong'), content: inlines });
const readCode = fields<{ kind: 'code'; text: string }>({ kind: kind('code'), text });
const readLink = fields<Of<'link'>>({ kind: kind('link'), href: text, content: inlines });
const readHeading = fields<Of<'heading'>>({
  kind: kind('heading'),
  level: (value) => ([2, 3, 4] as const).find((level) => level === value),
  id: text,
  content: inlines,
});
const readParagraph = fields<Of<'paragraph'>>({ kind: kind('paragraph'), content: inlines });
const readList = fields<Of<'list'>>({
  kind: kind('list'),
  ordered: flag,
  start: number,
  items: list(blocks),
});
const readQuote = fields<Of<'quote'>>({ kind: kind('quote'), content: blocks });

function readInline(value: unknown): Inline | undefined {
  return text(value) ?? readMarked(value) ?? readCode(value) ?? readLink(value);
}

function readBlock(value: unknown): Block | undefined {
  return (
    readParagraph(value) ??
    readHeading(value) ??
    readList(value) ??
    readQuote(value) ??
    readCode(value)
  );
}

export const readRichText = blocks;
