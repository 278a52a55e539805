/** An email as plain text: 72 columns for our own words, a visitor's words as they came behind a mark. */
import { formatDollars } from '../../platform/money.ts';
import { type Email, type Part, priceRows, TOTAL_LABEL } from './email.server.ts';

const COLUMNS = 72;

export function emailText({ heading, parts, footer }: Email): string {
  const blocks = [heading, ...parts.map(partText), ['-- ', ...footer].join('\n')];
  return `${blocks.join('\n\n')}\n`;
}

function partText(part: Part): string {
  if (typeof part === 'string') return wrap(part);
  switch (part.kind) {
    case 'warning':
      return wrap(`! ${part.text}`);
    case 'facts':
      return columns(part.facts.map(([label, value]) => [`${label}:`, value]));
    case 'quote':
      return part.text.replace(/^/gm, '> ');
    case 'prices':
      return columns([...priceRows(part), [TOTAL_LABEL, formatDollars(part.total)]], 'right');
    case 'link':
      return `${part.label}: ${part.url}`;
  }
}

function wrap(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function columns(
  rows: readonly (readonly [string, string])[],
  align: 'left' | 'right' = 'left',
): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  return rows
    .map(
      ([label, value]) =>
        `${label.padEnd(left)}  ${align === 'right' ? value.padStart(right) : value}`,
    )
    .join('\n');
}
