/** Who is writing. Given once in this tab, at the chat or the contact form, it needs no second typing (WCAG 3.3.7). */

import { recall, remember } from '../platform/browser/session-storage.ts';
import { fields, type Read, text } from '../platform/read.ts';

export const readVisitor = fields({ name: text, email: text });
export type VisitorDetails = Read<typeof readVisitor>;

const KEY = 'visitor';
const listeners = new Set<(details: VisitorDetails) => void>();

export function knownVisitor(): VisitorDetails | null {
  return recall(KEY, readVisitor);
}

export function rememberVisitor(details: VisitorDetails): void {
  remember(KEY, details);
  for (const listener of listeners) listener(details);
}

export function onVisitorKnown(listener: (details: VisitorDetails) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
