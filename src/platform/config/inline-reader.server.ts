/** What stands within a paragraph or heading: words, links and what is stressed, each placeholder filled in. */
import type { Token } from 'markdown-it';
import type { Inline } from '../rich-text.ts';
import { nameOf, withInside } from './markdown-tokens.server.ts';

export interface MarkdownContext {
  /** What {{name}} and its like stand for. */
  placeholders: ReadonlyMap<string, Inline>;
  /** Takes one fault, such as 'line 12: …'. */
  fault(what: string): void;
}

export class InlineReader {
  readonly #context: MarkdownContext;
  /** Of the file, from 1: where the reader is. */
  line = 0;

  constructor(context: MarkdownContext) {
    this.#context = context;
  }

  /** What stands in a paragraph or heading: one token, whose parts are its content. */
  read([text]: readonly Token[]): Inline[] {
    return this.#parts(text?.children ?? []);
  }

  #parts(tokens: readonly Token[]): Inline[] {
    const parts: Inline[] = [];
    // Of several lines one text, in which a placeholder may stand.
    let words = '';
    let first = this.line;
    for (const { token, inside } of withInside(tokens)) {
      if (words === '') first = this.line;
      if (token.type === 'text') words += token.content;
      else if (token.type === 'softbreak') {
        words += ' ';
        this.line += 1;
      } else {
        parts.push(...this.#filled(words, first), ...this.#part(token, inside));
        words = '';
      }
    }
    return [...parts, ...this.#filled(words, first)];
  }

  #part(token: Token, inside: readonly Token[]): Inline[] {
    switch (token.type) {
      case 'em_open':
        return [{ kind: 'emphasis', content: this.#parts(inside) }];
      case 'strong_open':
        return [{ kind: 'strong', content: this.#parts(inside) }];
      case 'code_inline':
        return [{ kind: 'code', text: token.content }];
      case 'link_open': {
        const href = String(token.attrGet('href'));
        if (!LINKABLE.test(href)) this.refuse(`${href} is not an address that a link may have`);
        // A placeholder may be a link itself; here only its words count.
        const content = this.#parts(inside).flatMap((part) =>
          typeof part === 'object' && part.kind === 'link' ? part.content : [part],
        );
        return [{ kind: 'link', href, content }];
      }
      default:
        this.refuse(`${nameOf(token)} cannot stand here`);
        if (token.type === 'hardbreak') this.line += 1;
        return [];
    }
  }

  #filled(text: string, line: number): Inline[] {
    return text.split(/(\{\{.*?\}\})/).flatMap((part): Inline[] => {
      const name = /^\{\{(.*)\}\}$/.exec(part)?.[1]?.trim();
      if (name === undefined) return part === '' ? [] : [part];
      const value = this.#context.placeholders.get(name);
      if (value === undefined) this.refuse(`there is no placeholder {{${name}}}`, line);
      return value === undefined ? [] : [value];
    });
  }

  refuse(why: string, line = this.line): undefined {
    this.#context.fault(`line ${line}: ${why}`);
  }
}

/** Our own pages and anchors, and other hosts over TLS. */
const LINKABLE = /^(\/(?![/\\])|#|https:\/\/|mailto:|tel:)/;
