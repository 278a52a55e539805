import * as z from 'zod/mini';
import type { ContentReader } from '../platform/config/content-file.server.ts';
import type { Inline } from '../platform/rich-text.ts';
import { line } from '../platform/schema.ts';

/** The footer and the checkout link to these, in the order of the resources page. */
export const LEGAL_NAMES = ['privacy-policy', 'terms-of-service', 'security-policy'];
/** Not every company needs it. */
const ADDENDUM = 'safeguards-addendum';

const frontMatter = z.strictObject({
  title: line(),
  updated: z.iso.date(),
  description: line(),
});

/** `terms.next.md` replaces `terms.md` on its day. */
const NAME = /^[a-z0-9]+(-[a-z0-9]+)*(\.next)?$/;

/** Reads content/pages: every Markdown file is a page, its file name the path. */
export function readTextPages(reader: ContentReader, placeholders: ReadonlyMap<string, Inline>) {
  const others = reader.slugs('pages', NAME).filter((name) => !LEGAL_NAMES.includes(name));
  return [...LEGAL_NAMES, ...others].flatMap((file) => {
    const read = reader.markdown(`pages/${file}.md`, frontMatter, placeholders);
    if (!read) return [];
    const { matter, body, text } = read;
    const name = file.replace('.next', '');
    return [{ ...matter, name, isLegal: [...LEGAL_NAMES, ADDENDUM].includes(name), body, text }];
  });
}
