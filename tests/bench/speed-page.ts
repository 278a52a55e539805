/** docs/speed.md, of which each bench writes its own part. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = 'docs/speed.md';

/** `command` wrote the part and replaces it when it runs again; the rest of the file stays as it is. */
export function writePart(command: string, paragraphs: readonly string[]): void {
  const [begin, end] = [`<!-- written by ${command} -->`, `<!-- /${command} -->`];
  const part = [begin, ...paragraphs, end].join('\n\n');
  const before = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '# Speed\n';
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  writeFileSync(
    FILE,
    from < 0 || to < from
      ? `${before.trimEnd()}\n\n${part}\n`
      : before.slice(0, from) + part + before.slice(to + end.length),
  );
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

/** `rows` below `heads`, numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = heads.map((_, place) => (place === 0 ? '---' : '---:'));
  return [heads, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
