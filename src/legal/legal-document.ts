/** A legal page, its body as a tree. */
import type { RichText } from '../platform/rich-text.ts';

/** The pages that the site must have, by their addresses. */
export const LEGAL_NAMES = ['privacy-policy', 'terms-of-service', 'security-policy'] as const;

export interface LegalDocument {
  name: (typeof LEGAL_NAMES)[number];
  title: string;
  description: string;
  updated: string;
  body: RichText;
}
