/** The parser of Markdown, set up so that nothing an editor wrote vanishes before it is read. */
import MarkdownIt, { type Token } from 'markdown-it';

export const parser = new MarkdownIt('commonmark');
// An address is taken as it is written; those that a link may not have are faults here, not words.
parser.validateLink = () => true;
parser.normalizeLink = (address) => address;
parser.normalizeLinkText = (address) => address;
// `[label]: address` would vanish from the text.
parser.block.ruler.at('reference', (state, line) => {
  const text = state.getLines(line, line + 1, state.blkIndent, false);
  if (!/^\s*\[[^\]]+\]:\s*\S*\s*(["'(].*)?$/.test(text)) return false;
  state.push('definition', '', 0).map = [line, line + 1];
  state.line = line + 1;
  return true;
});

/** Each token of a list with what stands between it and its end. */
export function* withInside(
  tokens: readonly Token[],
): Generator<{ token: Token; inside: Token[] }> {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) return;
    const first = at + 1;
    for (let depth: number = token.nesting; depth > 0; ) depth += tokens[++at]?.nesting ?? -1;
    yield { token, inside: tokens.slice(first, at) };
  }
}

const NAMES: Readonly<Record<string, string>> = {
  html_block: 'raw HTML',
  html_inline: 'raw HTML',
  image: 'a picture',
  hardbreak: 'a forced line break',
  hr: 'a rule',
  definition: 'a link defined elsewhere',
};

export function nameOf({ type }: Token): string {
  return NAMES[type] ?? type;
}
