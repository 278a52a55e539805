/** Words that another page has put together for the contact form; the tab keeps them until the form is there. */
import { forget, recall, remember } from '../../platform/browser/session-storage.ts';
import { text } from '../../platform/read.ts';

const KEY = 'contact-draft';

export function draftMessage(message: string): void {
  remember(KEY, message);
}

/** Only once: what is deleted in the form does not come back. */
export function takeDraft(): string | null {
  const draft = recall(KEY, text);
  if (draft !== null) forget(KEY);
  return draft;
}
