/** The schema's word on what stands in the form; a file of its own, loaded when the form is first touched. */
import * as z from 'zod/mini';
import { type ContactFaults, type ContactValues, faultsOf } from './contact-fields.ts';
import { contactMessage } from './contact-message.ts';

export function checkContact(values: ContactValues): ContactFaults {
  const { error } = contactMessage.safeParse(values);
  const issues = error?.issues ?? [];
  return faultsOf(issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })));
}
