/** Text with structure, as articles and legal pages have it: plain JSON, drawn by `ui/text/rich-text.tsx`. */
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

export type Heading = Extract<Block, { kind: 'heading' }>;

export function countWords(text: RichText): number {
  return plainText(text).split(/\s+/).length;
}

/** The words alone, blocks and list items parted by line breaks. */
function plainText(text: RichText): string {
  return text.map(wordsOf).join('\n');
}

export function inlineText(content: readonly Inline[]): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      return part.kind === 'code' ? part.text : inlineText(part.content);
    })
    .join('');
}

function wordsOf(block: Block): string {
  switch (block.kind) {
    case 'code':
      return block.text;
    case 'list':
      return block.items.map(plainText).join('\n');
    case 'quote':
      return plainText(block.content);
    default:
      return inlineText(block.content);
  }
}

export function headingsOf(text: RichText): Heading[] {
  return text.filter((block) => block.kind === 'heading');
}
