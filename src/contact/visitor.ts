/** What this tab keeps of its visitor for the contact form, the chat and the self-check. */
import * as z from 'zod/mini';
import { sessionStore } from '../platform/browser/browser-storage.ts';
import { onEvent } from '../platform/browser/on-event.ts';

export const visitorDetails = z.object({ name: z.string(), email: z.string() });
export type VisitorDetails = z.output<typeof visitorDetails>;

const VISITOR = 'visitor';

/** The name and email that were entered, so that neither form asks again (WCAG 3.3.7). */
export function readVisitor(): VisitorDetails | null {
  return sessionStore.get(VISITOR, visitorDetails);
}

export function saveVisitor(details: VisitorDetails): void {
  sessionStore.set(VISITOR, details);
  dispatchEvent(new Event(VISITOR));
}

/** On a computer that others use. */
export function forgetVisitor(): void {
  sessionStore.remove(VISITOR);
}

export const onVisitorChange = onEvent(VISITOR);

const DRAFT = 'contact-draft';

export function saveDraft(message: string): void {
  sessionStore.set(DRAFT, message);
}

/** Returns the draft once, so that it does not reappear after the visitor has deleted it. */
export function takeDraft(): string {
  const draft = sessionStore.get(DRAFT, z.string()) ?? '';
  sessionStore.remove(DRAFT);
  return draft;
}
