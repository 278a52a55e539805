/** A legal page, its body as a tree. */
import * as z from 'zod/mini';
import { richText } from '../platform/rich-text.ts';

/** The pages that the site must have, by their addresses. */
export const LEGAL_NAMES = ['privacy-policy', 'terms-of-service', 'security-policy'] as const;

/** What its page shows. */
export const legalContent = z.object({ title: z.string(), updated: z.string(), body: richText });

export interface LegalDocument extends z.output<typeof legalContent> {
  name: (typeof LEGAL_NAMES)[number];
  description: string;
}
