/** A message from the contact form: what is allowed, what is sent, what comes back. */
import * as z from 'zod/mini';
import type { Contract } from '../platform/contract.ts';
import { emailField, multiLine, phoneField, singleLine } from '../platform/fields.ts';
import { moment, rowId } from '../platform/json-shapes.ts';
import { or, text } from '../platform/read.ts';
import { spamSigns } from '../platform/spam.ts';
import {
  CONTACT_FIELDS,
  type ContactFaults,
  type ContactValues,
  SERVICE_CHOICES,
} from './contact-fields.ts';

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

export const contactJson = z.strictObject({
  id: rowId,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  service: z.nullable(z.string()),
  message: z.string(),
  createdAt: moment,
});

export type ContactJson = z.output<typeof contactJson>;

/** Reads its fields; what an answer does not say is as it was typed, where that is known. */
export const contactReaders = (typed: Partial<ContactValues> = {}) => ({
  name: or(text, typed.name ?? ''),
  email: or(text, typed.email ?? ''),
  phone: or(text, typed.phone || null),
  service: or(text, typed.service || null),
  message: or(text, typed.message ?? ''),
});

export const contactAnswer = z.strictObject({
  contact: contactJson,
  /** Such as 'C-42'. */
  reference: z.string(),
});

export type ContactAnswer = z.output<typeof contactAnswer>;

/** The contact form's call. */
export const SEND_CONTACT: Contract<typeof contactMessage, typeof contactAnswer> =
  'POST /api/contact';

/** The number under which a visitor, staff and emails speak of a contact message: 'C-12'. */
export function contactReference(id: number): string {
  return `C-${id}`;
}

/** The topic of its notifications. */
export function contactTopic(id: number): string {
  return `submission ${id}`;
}

/** The first complaint about each field; what is about no field of the form is left out. */
export function faultsOf(errors: readonly { path: string; message: string }[]): ContactFaults {
  const faults: ContactFaults = {};
  for (const field of CONTACT_FIELDS) {
    const first = errors.find(({ path }) => path === field);
    if (first) faults[field] = first.message;
  }
  return faults;
}
