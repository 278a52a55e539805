/** The structured text of articles and legal pages: plain JSON, rendered by `ui/rich-text.tsx`. */
export type RichText = readonly Block[];

export type Block =
  | { kind: 'heading'; level: 2 | 3 | 4; id: string; content: readonly Inline[] }
  | { kind: 'paragraph'; content: readonly Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: readonly RichText[] }
  | { kind: 'quote'; content: RichText }
  | { kind: 'code'; text: string }
  /** The first row has the headings. All rows have as many cells as `columns`. */
  | { kind: 'table'; columns: readonly Alignment[]; rows: readonly (readonly Cell[])[] };

export type Alignment = 'left' | 'center' | 'right';
type Cell = readonly Inline[];

export type Inline =
  | string
  | { kind: 'emphasis' | 'strong'; content: readonly Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; href: string; content: readonly Inline[] };

export type Heading = Extract<Block, { kind: 'heading' }>;

export function countWords(text: RichText): number {
  return text.map(plainText).join(' ').split(/\s+/).length;
}

function plainText(block: Block): string {
  if (block.kind === 'code') return block.text;
  if (block.kind === 'list') return block.items.flat().map(plainText).join(' ');
  if (block.kind === 'table') return block.rows.flat().map(inlineText).join(' ');
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
