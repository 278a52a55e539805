/** What is the same for each field of the contact form. No part of the form itself, which is loaded first. */
import { or, text } from '../platform/read.ts';
import { CONTACT_FIELDS, type ContactField, type ContactValues } from './contact-fields.ts';

/** One thing for each field. */
export function eachField<Thing>(
  make: (field: ContactField) => Thing,
): Record<ContactField, Thing> {
  const entries = CONTACT_FIELDS.map((field) => [field, make(field)]);
  return Object.fromEntries(entries);
}

/** Of a stored message; what an answer does not say is as it was typed, where that is known. */
export const contactReaders = (typed: Partial<ContactValues> = {}) => ({
  name: or(text, typed.name ?? ''),
  email: or(text, typed.email ?? ''),
  phone: or(text, typed.phone || null),
  service: or(text, typed.service || null),
  message: or(text, typed.message ?? ''),
});
