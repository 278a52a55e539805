/** What stands in the form's inputs. */
import type { ContactValues } from '../contact-fields.ts';
import type { VisitorDetails } from '../visitor-details.ts';
import { takeDraft } from './contact-draft.ts';

export function readForm(form: HTMLFormElement): ContactValues & { website: string } {
  const typed = [...new FormData(form)].map(([field, value]) => [field, String(value)]);
  return Object.fromEntries(typed);
}

/** What another page has put together for it. */
export function fillMessage(form: HTMLFormElement | null): void {
  const input = form?.elements.namedItem('message');
  if (input instanceof HTMLTextAreaElement && input.value === '') input.value = takeDraft() ?? '';
}

export function fillEmpty(form: HTMLFormElement | null, details: VisitorDetails): void {
  for (const field of ['name', 'email'] as const) {
    const input = form?.elements.namedItem(field);
    if (input instanceof HTMLInputElement && input.value === '') input.value = details[field];
  }
}
