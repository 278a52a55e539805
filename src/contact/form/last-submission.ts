/** The last message sent from this tab, for the debug panel; in memory only, so that a reload forgets it. */
import type { ContactJson } from '../contact-message.ts';

let last: ContactJson | null = null;
const listeners = new Set<() => void>();

export function keepLastSubmission(submission: ContactJson): void {
  last = submission;
  for (const listener of listeners) listener();
}

export function lastSubmission(): ContactJson | null {
  return last;
}

export function onSubmission(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
