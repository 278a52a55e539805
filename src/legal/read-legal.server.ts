import * as z from 'zod/mini';
import type { ContentReader } from '../platform/config/content-file.server.ts';
import type { Inline } from '../platform/rich-text.ts';
import { line } from '../platform/schema.ts';

/** The pages that the site must have, by their addresses. */
const LEGAL_NAMES = ['privacy-policy', 'terms-of-service', 'security-policy'] as const;

const frontMatter = z.strictObject({
  title: line(),
  updated: z.iso.date(),
  description: line(),
});

/** Reads content/legal: exactly the pages whose addresses the site links to. */
export function readLegal(reader: ContentReader, placeholders: ReadonlyMap<string, Inline>) {
  const fileOf = (name: string) => `legal/${name}.md`;
  const expected = LEGAL_NAMES.map(fileOf);
  for (const file of reader.files('legal', '.md')) {
    if (!expected.includes(file))
      reader.faults.push(`${file}: no page of the site shows this file`);
  }
  return LEGAL_NAMES.flatMap((name) => {
    const read = reader.markdown(fileOf(name), frontMatter, placeholders);
    return read ? [{ ...read.matter, name, body: read.body }] : [];
  });
}
