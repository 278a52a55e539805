/** What this tab keeps of its visitor and the messages they write. */
import { forget, recall, remember } from '../platform/browser/session-storage.ts';
import { fields, type Read, text } from '../platform/read.ts';
import type { ContactJson } from './contact-message.ts';

/** Who is writing. Given once, at the chat or the contact form, it needs no second typing (WCAG 3.3.7). */
export const readVisitor = fields({ name: text, email: text });
export type VisitorDetails = Read<typeof readVisitor>;

const VISITOR = 'visitor';
const visitorListeners = new Set<(details: VisitorDetails) => void>();

export function knownVisitor(): VisitorDetails | null {
  return recall(VISITOR, readVisitor);
}

export function rememberVisitor(details: VisitorDetails): void {
  remember(VISITOR, details);
  for (const listener of visitorListeners) listener(details);
}

export function onVisitorKnown(listener: (details: VisitorDetails) => void): () => void {
  visitorListeners.add(listener);
  return () => visitorListeners.delete(listener);
}

const DRAFT = 'contact-draft';

/** Words that another page has put together for the contact form; kept until the form is there. */
export function draftMessage(message: string): void {
  remember(DRAFT, message);
}

/** Only once: what is deleted in the form does not come back. */
export function takeDraft(): string | null {
  const draft = recall(DRAFT, text);
  if (draft !== null) forget(DRAFT);
  return draft;
}

/** The last message sent from this tab, for the debug panel; in memory only, so that a reload forgets it. */
let last: ContactJson | null = null;
const submissionListeners = new Set<() => void>();

export function keepLastSubmission(submission: ContactJson): void {
  last = submission;
  for (const listener of submissionListeners) listener();
}

export function lastSubmission(): ContactJson | null {
  return last;
}

export function onSubmission(listener: () => void): () => void {
  submissionListeners.add(listener);
  return () => submissionListeners.delete(listener);
}
