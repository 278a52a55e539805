/**
 * Markdown of content/ → RichText. What the site does not draw (raw HTML, pictures, rules, tables …) is a fault
 * that names its line, so that nothing an editor wrote is silently lost.
 */
import type { Token } from 'markdown-it';
import { type Block, inlineText, type RichText } from '../rich-text.ts';
import { InlineReader, type MarkdownContext } from './inline-reader.server.ts';
import { nameOf, parser, withInside } from './markdown-tokens.server.ts';

export function readMarkdown(markdown: string, context: MarkdownContext): RichText {
  const text = new MarkdownReader(context).blocks(parser.parse(markdown, {}));
  if (text.length === 0) context.fault('there is no text');
  return text;
}

class MarkdownReader {
  readonly #inline: InlineReader;
  readonly #ids = new Set<string>();
  #level = 1;

  constructor(context: MarkdownContext) {
    this.#inline = new InlineReader(context);
  }

  blocks(tokens: readonly Token[]): Block[] {
    return [...withInside(tokens)].flatMap(({ token, inside }) => {
      this.#inline.line = (token.map?.[0] ?? 0) + 1;
      return this.#block(token, inside) ?? [];
    });
  }

  #block(token: Token, inside: readonly Token[]): Block | undefined {
    switch (token.type) {
      case 'heading_open':
        return this.#heading(Number(token.tag.slice(1)), inside);
      case 'paragraph_open':
        return { kind: 'paragraph', content: this.#inline.read(inside) };
      case 'bullet_list_open':
      case 'ordered_list_open':
        return {
          kind: 'list',
          ordered: token.type === 'ordered_list_open',
          start: Number(token.attrGet('start') ?? 1),
          items: [...withInside(inside)].map((item) => this.blocks(item.inside)),
        };
      case 'blockquote_open':
        return { kind: 'quote', content: this.blocks(inside) };
      case 'code_block':
      case 'fence':
        return { kind: 'code', text: token.content.replace(/\n$/, '') };
      default:
        return this.#inline.refuse(`${nameOf(token)} cannot stand here`);
    }
  }

  #heading(depth: number, inside: readonly Token[]): Block | undefined {
    if ((depth !== 2 && depth !== 3 && depth !== 4) || depth > this.#level + 1) {
      return this.#inline.refuse(
        depth === 1
          ? 'the title is the only heading with one #'
          : `a heading with ${depth} # has no parent`,
      );
    }
    this.#level = depth;
    const content = this.#inline.read(inside);
    return { kind: 'heading', level: depth, id: this.#anchor(inlineText(content)), content };
  }

  /** Stable as long as the heading's words are; the second of two equal headings gets -2. */
  #anchor(words: string): string {
    const base = slug(words) || 'section';
    let id = base;
    for (let count = 2; this.#ids.has(id); count++) id = `${base}-${count}`;
    this.#ids.add(id);
    return id;
  }
}

/** 'How long we keep it' → 'how-long-we-keep-it'. */
function slug(words: string): string {
  return words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-');
}
