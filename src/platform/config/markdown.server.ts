/** Markdown of content/ → RichText. What cannot be rendered is an error that names its line. */
import MarkdownIt, { type Token } from 'markdown-it';
import {
  type Alignment,
  type Block,
  type Inline,
  inlineText,
  type RichText,
} from '../rich-text.ts';

interface MarkdownContext {
  /** Values for {{name}} and the like. */
  placeholders: ReadonlyMap<string, Inline>;
  /** Reports one error: 'line 12: …'. */
  reportError(what: string): void;
}

export function readMarkdown(markdown: string, context: MarkdownContext): RichText {
  const text = new MarkdownReader(context).blocks(parser.parse(markdown, {}));
  if (text.length === 0) context.reportError('there is no text');
  return text;
}

const parser = new MarkdownIt('commonmark').enable(['table', 'strikethrough']);
// Keep each URL as written: markdown-it would render a bad link as text; here it is an error.
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;

/** Pages and anchors of this site, other hosts over https, email and phone. */
const LINKABLE = /^(\/(?![/\\])|#|https:\/\/|mailto:|tel:)/;

const REFUSED: Readonly<Record<string, string>> = {
  html_block: 'raw HTML',
  html_inline: 'raw HTML',
  image: 'a picture',
  hardbreak: 'a forced line break',
  hr: 'a rule',
  s_open: 'struck-out text',
};

class MarkdownReader {
  readonly #context: MarkdownContext;
  readonly #ids = new Set<string>();
  #level = 1;
  /** The line of the file at which the current block begins, from 1. */
  #line = 0;

  constructor(context: MarkdownContext) {
    this.#context = context;
  }

  blocks(tokens: readonly Token[]): Block[] {
    return withInside(tokens).flatMap(({ token, inside }) => {
      this.#line = (token.map?.[0] ?? 0) + 1;
      return this.#block(token, inside);
    });
  }

  #block(token: Token, inside: readonly Token[]): Block[] {
    switch (token.type) {
      case 'heading_open':
        return this.#heading(Number(token.tag.slice(1)), inside);
      case 'paragraph_open':
        return [{ kind: 'paragraph', content: this.#text(inside) }];
      case 'bullet_list_open':
      case 'ordered_list_open':
        return [
          {
            kind: 'list',
            ordered: token.type === 'ordered_list_open',
            start: Number(token.attrGet('start') ?? 1),
            items: withInside(inside).map((item) => this.blocks(item.inside)),
          },
        ];
      case 'blockquote_open':
        return [{ kind: 'quote', content: this.blocks(inside) }];
      case 'code_block':
      case 'fence':
        return [{ kind: 'code', text: token.content.replace(/\n$/, '') }];
      case 'table_open':
        return [this.#table(inside)];
      default:
        return this.#refuse(`${REFUSED[token.type] ?? token.type} cannot stand here`);
    }
  }

  #table(headAndBody: readonly Token[]): Block {
    const rows = withInside(headAndBody)
      .flatMap((part) => withInside(part.inside))
      .map(({ token, inside }) => ({ line: token.map?.[0] ?? 0, cells: withInside(inside) }));
    const columns = (rows[0]?.cells ?? []).map(({ token }): Alignment => {
      const style = String(token.attrGet('style'));
      return style.endsWith('right') ? 'right' : style.endsWith('center') ? 'center' : 'left';
    });
    const content = rows.map(({ line, cells }) => {
      this.#line = line + 1;
      return cells.map(({ inside: [cell] }) => this.#inlines(cell?.children ?? []));
    });
    return { kind: 'table', columns, rows: content };
  }

  #heading(depth: number, inside: readonly Token[]): Block[] {
    if (depth === 1) return this.#refuse('the title is the only heading with one #');
    if ((depth !== 2 && depth !== 3 && depth !== 4) || depth > this.#level + 1)
      return this.#refuse(`a heading with ${depth} # has no parent`);
    this.#level = depth;
    const content = this.#text(inside);
    return [{ kind: 'heading', level: depth, id: this.#anchor(inlineText(content)), content }];
  }

  /** Changes only with the heading's words; the second of two equal headings gets -2. */
  #anchor(words: string): string {
    const base = slug(words) || 'section';
    let id = base;
    for (let count = 2; this.#ids.has(id); count++) id = `${base}-${count}`;
    this.#ids.add(id);
    return id;
  }

  /** The content of a paragraph or heading, which is a single inline token. */
  #text([text]: readonly Token[]): Inline[] {
    return this.#inlines(text?.children ?? []);
  }

  #inlines(tokens: readonly Token[]): Inline[] {
    const parts: Inline[] = [];
    // Lines are joined before placeholders are replaced, since a placeholder may span two of them.
    let words = '';
    for (const { token, inside } of withInside(tokens)) {
      if (token.type === 'text') words += token.content;
      else if (token.type === 'softbreak') words += ' ';
      else {
        parts.push(...this.#filled(words), ...this.#inline(token, inside));
        words = '';
      }
    }
    return [...parts, ...this.#filled(words)];
  }

  #inline(token: Token, inside: readonly Token[]): Inline[] {
    switch (token.type) {
      case 'em_open':
        return [{ kind: 'emphasis', content: this.#inlines(inside) }];
      case 'strong_open':
        return [{ kind: 'strong', content: this.#inlines(inside) }];
      case 'code_inline':
        return [{ kind: 'code', text: token.content }];
      case 'link_open': {
        const href = String(token.attrGet('href'));
        if (!LINKABLE.test(href)) this.#refuse(`${href} is not an address that a link may have`);
        // A placeholder may be a link itself, and links cannot be nested: only its words are used.
        const content = this.#inlines(inside).flatMap((part) =>
          typeof part === 'object' && part.kind === 'link' ? part.content : [part],
        );
        return [{ kind: 'link', href, content }];
      }
      default:
        return this.#refuse(`${REFUSED[token.type] ?? token.type} cannot stand here`);
    }
  }

  #filled(text: string): Inline[] {
    return text.split(/(\{\{[^{}]*\}\})/).flatMap((part): Inline[] => {
      const name = /^\{\{(.*)\}\}$/.exec(part)?.[1]?.trim();
      if (name === undefined) return part === '' ? [] : [part];
      const value = this.#context.placeholders.get(name);
      return value === undefined ? this.#refuse(`there is no placeholder {{${name}}}`) : [value];
    });
  }

  #refuse(reason: string): [] {
    this.#context.reportError(`line ${this.#line}: ${reason}`);
    return [];
  }
}

/** Each top-level token with the tokens between it and its closing token. */
function withInside(tokens: readonly Token[]): { token: Token; inside: Token[] }[] {
  const elements: { token: Token; inside: Token[] }[] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) elements.push({ token, inside: [] });
    depth += token.nesting;
    if (depth > 0 && elements.at(-1)?.token !== token) elements.at(-1)?.inside.push(token);
  }
  return elements;
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
