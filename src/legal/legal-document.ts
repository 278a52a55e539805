/** A legal page: the front matter of content/legal/<name>.md, and its body as a tree. */
import * as z from 'zod/mini';
import type { RichText } from '../platform/rich-text.ts';

/** The pages that the site must have, by their addresses. */
export const LEGAL_NAMES = ['privacy-policy', 'terms-of-service', 'security-policy'] as const;
export type LegalName = (typeof LEGAL_NAMES)[number];

const line = () => z.string().check(z.minLength(1));

export const legalFrontMatter = z.strictObject({
  title: line(),
  updated: z.iso.date(),
  description: line(),
});

export interface LegalDocument extends z.infer<typeof legalFrontMatter> {
  name: LegalName;
  body: RichText;
}
