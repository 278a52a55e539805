/** A message from the contact form: what is allowed, what is sent, what comes back. */
import * as z from 'zod/mini';
import { emailField, multiLine, phoneField, singleLine } from '../platform/fields.ts';
import { spamSigns } from '../platform/spam.ts';
import { CONTACT_FIELDS, type ContactFaults } from './contact-fields.ts';
import { SERVICE_CHOICES } from './service-choices.ts';

const SERVICE_VALUES = Object.keys(SERVICE_CHOICES);
const MAX_NAME = 100;
const MAX_MESSAGE = 5_000;

/** An untouched choice of service is '' in a form and counts as none. */
export const contactMessage = z.strictObject({
  name: singleLine({ min: 2, max: MAX_NAME, tooShort: 'Name must be at least 2 characters' }),
  email: emailField(),
  phone: phoneField(),
  service: z.pipe(
    z.nullish(z.enum(['', ...SERVICE_VALUES], 'Please select a service from the list')),
    z.transform((value) => value || null),
  ),
  message: multiLine({
    min: 10,
    max: MAX_MESSAGE,
    tooShort: 'Message must be at least 10 characters',
  }),
  ...spamSigns,
});

/** The first complaint about each field; what is about no field of the form is left out. */
export function faultsOf(errors: readonly { path: string; message: string }[]): ContactFaults {
  const faults: ContactFaults = {};
  for (const field of CONTACT_FIELDS) {
    const first = errors.find(({ path }) => path === field);
    if (first) faults[field] = first.message;
  }
  return faults;
}
