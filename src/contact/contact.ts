/** A message from the contact form: its fields, its call, and its texts. */
import * as z from 'zod/mini';
import type { Company } from '../company/company.ts';
import { MAX_CONTACT_MESSAGE } from '../limits.ts';
import { contract } from '../platform/contract.ts';
import {
  emailField,
  multiLine,
  optionalField,
  phoneField,
  singleLine,
} from '../platform/fields.ts';
import { fallback, rowId, text, textOrNull, timestamp } from '../platform/schema.ts';
import type { ThreadStatus } from '../threads/thread.ts';

export const CONTACT_FIELDS = ['name', 'email', 'phone', 'service', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

export const CONTACT_LABELS: Record<ContactField, string> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  service: 'Service',
  message: 'Message',
};

/** Returns undefined for no service, and for one that is no longer offered. */
export function serviceLabel(
  { contactServices }: Pick<Company, 'contactServices'>,
  service: string | null,
): string | undefined {
  return Object.entries(contactServices).find(([value]) => value === service)?.[1];
}

export function contactText(
  company: Pick<Company, 'contactServices'>,
  field: ContactField,
  message: Pick<ContactSubmission, ContactField>,
): string {
  if (field === 'service') return serviceLabel(company, message.service) ?? 'Not specified';
  return message[field] || 'Not provided';
}

/** Of a key in `contactServices`. */
const MAX_SERVICE = 40;
export const UNKNOWN_SERVICE = 'Please select a service from the list';

export const contactMessage = z.strictObject({
  name: singleLine({ min: 2, max: 100, tooShort: 'Name must be at least 2 characters' }),
  email: emailField(),
  phone: phoneField(),
  service: optionalField(z.string().check(z.maxLength(MAX_SERVICE, UNKNOWN_SERVICE))),
  message: multiLine({
    min: 10,
    max: MAX_CONTACT_MESSAGE,
    tooShort: 'Message must be at least 10 characters',
  }),
});
export type ContactMessage = z.output<typeof contactMessage>;

export const contactSubmission = z.object({
  id: rowId,
  name: text,
  email: text,
  phone: textOrNull,
  service: textOrNull,
  message: text,
  createdAt: fallback(timestamp, ''),
});

export type ContactSubmission = z.input<typeof contactSubmission>;

export const SEND_CONTACT = contract('POST /api/contact', {
  body: contactMessage,
  answer: z.object({
    contact: z.extend(contactSubmission, { id: fallback(rowId, 0) }),
    reference: text,
  }),
});

/** The number of a contact message as people see it, for example 'C-12'. */
export function contactReference(id: number): string {
  return `C-${id}`;
}

export function inquirySubject({ name }: Company, reference: string): string {
  return `Re: Your inquiry to ${name} (${reference})`;
}

/** What a staff notification adds about a message that looks like spam. */
export function spamWarning(status: ThreadStatus) {
  if (status !== 'spam') return {};
  return { suspicious: true, warning: 'This message looks like spam. Don’t open any links in it.' };
}

export const SENT = {
  title: 'Message Sent Successfully!',
  description: "Thank you for your message. We'll get back to you soon.",
};

/** A message sent without script that must be corrected. */
export interface ReturnedMessage {
  values: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, string>>;
  problem: string | null;
}

export type ContactOutcome = { reference: string } | { returned: ReturnedMessage };
