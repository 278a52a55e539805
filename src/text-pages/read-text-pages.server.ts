import * as z from 'zod/mini';
import type { ContentReader } from '../platform/config/content-file.server.ts';
import type { Inline } from '../platform/rich-text.ts';
import { line } from '../platform/schema.ts';

/** The footer and the checkout link to these, in the order of the resources page. */
const LEGAL_NAMES = ['privacy-policy', 'terms-of-service', 'security-policy'];

const frontMatter = z.strictObject({
  title: line(),
  updated: z.iso.date(),
  description: line(),
});

/** Reads content/pages: every Markdown file is a page, its file name the path. */
export function readTextPages(reader: ContentReader, placeholders: ReadonlyMap<string, Inline>) {
  const others = reader.slugs('pages').filter((name) => !LEGAL_NAMES.includes(name));
  return [...LEGAL_NAMES, ...others].flatMap((name) => {
    const read = reader.markdown(`pages/${name}.md`, frontMatter, placeholders);
    if (!read) return [];
    const { matter, body, text } = read;
    return [{ ...matter, name, isLegal: LEGAL_NAMES.includes(name), body, text }];
  });
}
