/**
 * Text with structure, as articles and legal pages have it: plain JSON, drawn by `ui/text/rich-text.tsx`. The schema reads
 * it out of a page's data; a part that it does not know is left out.
 */
import * as z from 'zod/mini';
import { list } from './schema.ts';

export type RichText = readonly Block[];

export type Block =
  | { kind: 'heading'; level: 2 | 3 | 4; id: string; content: readonly Inline[] }
  | { kind: 'paragraph'; content: readonly Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: readonly RichText[] }
  | { kind: 'quote'; content: RichText }
  | { kind: 'code'; text: string };

export type Inline =
  | string
  | { kind: 'emphasis' | 'strong'; content: readonly Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; content: readonly Inline[] };

// The types are written out, for a text may stand in a text.
const inlines: z.ZodMiniType<readonly Inline[]> = z.lazy(() => list(inline));
export const richText: z.ZodMiniType<RichText> = z.lazy(() => list(block));

const code = z.object({ kind: z.literal('code'), text: z.string() });

const inline: z.ZodMiniType<Inline> = z.union([
  z.string(),
  z.object({ kind: z.enum(['emphasis', 'strong']), content: inlines }),
  code,
  z.object({ kind: z.literal('link'), href: z.string(), content: inlines }),
]);

const block: z.ZodMiniType<Block> = z.union([
  z.object({ kind: z.literal('paragraph'), content: inlines }),
  z.object({
    kind: z.literal('heading'),
    level: z.literal([2, 3, 4]),
    id: z.string(),
    content: inlines,
  }),
  z.object({
    kind: z.literal('list'),
    ordered: z.boolean(),
    start: z.number(),
    items: list(richText),
  }),
  z.object({ kind: z.literal('quote'), content: richText }),
  code,
]);

export type Heading = Extract<Block, { kind: 'heading' }>;

export function countWords(text: RichText): number {
  return text.map(plainText).join(' ').split(/\s+/).length;
}

function plainText(block: Block): string {
  if (block.kind === 'code') return block.text;
  if (block.kind === 'list') return block.items.flat().map(plainText).join(' ');
  if (block.kind === 'quote') return block.content.map(plainText).join(' ');
  return inlineText(block.content);
}

export function inlineText(content: readonly Inline[]): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      return part.kind === 'code' ? part.text : inlineText(part.content);
    })
    .join('');
}

export function headingsOf(text: RichText): Heading[] {
  return text.filter((block) => block.kind === 'heading');
}
