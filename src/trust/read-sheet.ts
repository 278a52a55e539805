/** How a browser reads a sheet. */
import {
  fields,
  flag,
  list,
  nullable,
  oneOf,
  or,
  type Reader,
  text,
} from '../platform/old/read.ts';
import type { Block, Sheet } from './sheet.ts';

type Of<Kind extends Block['kind']> = Extract<Block, { kind: Kind }>;

const READERS: Record<Block['kind'], Reader<Block>> = {
  text: fields<Of<'text'>>({ kind: oneOf(['text']), text }),
  list: fields<Of<'list'>>({ kind: oneOf(['list']), items: list(text) }),
  facts: fields<Of<'facts'>>({ kind: oneOf(['facts']), rows: list(readPair) }),
  figures: fields<Of<'figures'>>({
    kind: oneOf(['figures']),
    figures: list(
      fields<Of<'figures'>['figures'][number]>({ value: text, label: text, note: text }),
    ),
  }),
  table: fields<Of<'table'>>({
    kind: oneOf(['table']),
    caption: text,
    columns: list(text),
    rows: list(list(text)),
  }),
  links: fields<Of<'links'>>({
    kind: oneOf(['links']),
    links: list(fields<Of<'links'>['links'][number]>({ label: text, href: text })),
  }),
};

function readPair(value: unknown): [string, string] | undefined {
  const [term, what] = list(text)(value) ?? [];
  return term === undefined || what === undefined ? undefined : [term, what];
}

/** Each kind's reader takes its own kind only. */
const readBlock: Reader<Block> = (value) => {
  for (const read of Object.values(READERS)) {
    const block = read(value);
    if (block) return block;
  }
  return undefined;
};

export const readSheet = fields<Sheet>({
  name: text,
  title: text,
  description: text,
  lead: text,
  updated: text,
  sample: nullable(text),
  numbered: or(flag, false),
  sections: list(
    fields<Sheet['sections'][number]>({ id: text, heading: text, blocks: list(readBlock) }),
  ),
});
