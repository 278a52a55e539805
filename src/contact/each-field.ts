/** What is the same for each field of the contact form. No part of the form itself, which is loaded first. */
import { CONTACT_FIELDS, type ContactField } from './contact-fields.ts';

/** One thing for each field. */
export function eachField<Thing>(
  make: (field: ContactField) => Thing,
): Record<ContactField, Thing> {
  const entries = CONTACT_FIELDS.map((field) => [field, make(field)]);
  return Object.fromEntries(entries);
}
