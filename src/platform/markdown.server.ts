/**
 * Markdown of content/ → RichText. What the site does not draw (raw HTML, pictures, rules, tables …) is a fault
 * that names its line, so that nothing an editor wrote is silently lost.
 */
import type { Nodes, PhrasingContent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Block, Inline, RichText } from './rich-text.ts';
import { inlineText } from './rich-text.ts';

export interface MarkdownContext {
  /** What {{name}} and its like stand for. */
  placeholders: ReadonlyMap<string, Inline>;
  /** Takes one fault, such as 'line 12: …'. */
  fault(what: string): void;
}

export function readMarkdown(markdown: string, context: MarkdownContext): RichText {
  const text = new MarkdownReader(context).blocks(fromMarkdown(markdown).children);
  if (text.length === 0) context.fault('there is no text');
  return text;
}

class MarkdownReader {
  readonly #context: MarkdownContext;
  readonly #ids = new Set<string>();
  #level = 1;

  constructor(context: MarkdownContext) {
    this.#context = context;
  }

  blocks(nodes: readonly RootContent[]): Block[] {
    return nodes.flatMap((node) => this.#block(node) ?? []);
  }

  #block(node: RootContent): Block | undefined {
    switch (node.type) {
      case 'heading':
        return this.#heading(node.depth, node.children, node);
      case 'paragraph':
        return { kind: 'paragraph', content: this.#inlines(node.children) };
      case 'list':
        return {
          kind: 'list',
          ordered: node.ordered ?? false,
          start: node.start ?? 1,
          items: node.children.map((item) => this.blocks(item.children)),
        };
      case 'blockquote':
        return { kind: 'quote', content: this.blocks(node.children) };
      case 'code':
        return { kind: 'code', text: node.value };
      default:
        return this.#refuse(node, `${nameOf(node)} cannot stand here`);
    }
  }

  #heading(depth: number, children: readonly PhrasingContent[], node: Nodes): Block | undefined {
    if ((depth !== 2 && depth !== 3 && depth !== 4) || depth > this.#level + 1) {
      return this.#refuse(
        node,
        depth === 1
          ? 'the title is the only heading with one #'
          : `a heading with ${depth} # has no parent`,
      );
    }
    this.#level = depth;
    const content = this.#inlines(children);
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

  #inlines(nodes: readonly PhrasingContent[]): Inline[] {
    return nodes.flatMap((node) => this.#inline(node));
  }

  #inline(node: PhrasingContent): Inline[] {
    switch (node.type) {
      case 'text':
        return this.#filled(node.value.replaceAll('\n', ' '), node);
      case 'emphasis':
      case 'strong':
        return [{ kind: node.type, content: this.#inlines(node.children) }];
      case 'inlineCode':
        return [{ kind: 'code', text: node.value }];
      case 'link': {
        if (!LINKABLE.test(node.url))
          this.#refuse(node, `${node.url} is not an address that a link may have`);
        // A placeholder may be a link itself; here only its words count.
        const content = this.#inlines(node.children).flatMap((part) =>
          typeof part === 'object' && part.kind === 'link' ? part.content : [part],
        );
        return [{ kind: 'link', href: node.url, content }];
      }
      default:
        this.#refuse(node, `${nameOf(node)} cannot stand here`);
        return [];
    }
  }

  #filled(text: string, node: Nodes): Inline[] {
    return text.split(/(\{\{.*?\}\})/).flatMap((part): Inline[] => {
      const name = /^\{\{(.*)\}\}$/.exec(part)?.[1]?.trim();
      if (name === undefined) return part === '' ? [] : [part];
      const value = this.#context.placeholders.get(name);
      if (value === undefined) this.#refuse(node, `there is no placeholder {{${name}}}`);
      return value === undefined ? [] : [value];
    });
  }

  #refuse(node: Nodes, why: string): undefined {
    this.#context.fault(`line ${node.position?.start.line ?? 0}: ${why}`);
  }
}

/** Our own pages and anchors, and other hosts over TLS. */
const LINKABLE = /^(\/(?![/\\])|#|https:\/\/|mailto:|tel:)/;

/** 'How long we keep it' → 'how-long-we-keep-it'. */
function slug(words: string): string {
  return words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-');
}

const NAMES: Partial<Record<Nodes['type'], string>> = {
  html: 'raw HTML',
  image: 'a picture',
  imageReference: 'a picture',
  break: 'a forced line break',
  thematicBreak: 'a rule',
  definition: 'a link defined elsewhere',
  linkReference: 'a link defined elsewhere',
};

function nameOf({ type }: Nodes): string {
  return NAMES[type] ?? type;
}
