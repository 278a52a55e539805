/** A message from the contact form: its fields, its call, and the words for visitors and staff. */
import * as z from 'zod/mini';
import type { Company } from '../company/company.ts';
import { contract } from '../platform/contract.ts';
import { emailField, multiLine, phoneField, singleLine } from '../platform/fields.ts';
import { fallback, moment, rowId } from '../platform/schema.ts';

export const CONTACT_FIELDS = ['name', 'email', 'phone', 'service', 'message'] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];

export const CONTACT_LABELS: Record<ContactField, string> = {
  name: 'Name',
  email: 'Email',
  phone: 'Phone',
  service: 'Service',
  message: 'Message',
};

/** What is wrong with a field, in words for the person at the form. */
export type ContactFaults = Partial<Record<ContactField, string>>;

/** What a message may be about: stored by value, shown by label. */
export const SERVICE_CHOICES = {
  'managed-it': 'IT Managed Services',
  network: 'Network Support & Maintenance',
  cybersecurity: 'Cybersecurity Services',
  hardware: 'Hardware Procurement & Integration',
  telecom: 'Telecommunications Services',
  voip: 'VoIP Services',
  cellular: 'Cellular Services',
  internet: 'Internet Services',
  cloud: 'Cloud Services',
  virtual: 'Virtual Infrastructure',
  saas: 'Software-as-a-Service',
  consulting: 'IT Consulting',
  other: 'Other',
} as const;

/** Undefined for none, and for one that is no longer offered. */
export function serviceLabel(service: string | null): string | undefined {
  return Object.entries(SERVICE_CHOICES).find(([value]) => value === service)?.[1];
}

/** What was entered in a field, for people to read. */
export function contactText(
  field: ContactField,
  message: Pick<ContactSubmission, ContactField>,
): string {
  if (field === 'service') return serviceLabel(message.service) ?? 'Not specified';
  return message[field] || 'Not provided';
}

export const MAX_MESSAGE = 5_000;

/** A service that was not chosen is '' in a form and counts as none. */
export const contactMessage = z.strictObject({
  name: singleLine({ min: 2, max: 100, tooShort: 'Name must be at least 2 characters' }),
  email: emailField(),
  phone: phoneField(),
  service: z.pipe(
    z.nullish(
      z.enum(['', ...Object.keys(SERVICE_CHOICES)], 'Please select a service from the list'),
    ),
    z.transform((value) => value || null),
  ),
  message: multiLine({
    min: 10,
    max: MAX_MESSAGE,
    tooShort: 'Message must be at least 10 characters',
  }),
});
export type ContactMessage = z.output<typeof contactMessage>;

/** A message that was received. */
export const contactSubmission = z.object({
  id: rowId,
  name: fallback(z.string(), ''),
  email: fallback(z.string(), ''),
  phone: fallback(z.nullable(z.string()), null),
  service: fallback(z.nullable(z.string()), null),
  message: fallback(z.string(), ''),
  createdAt: fallback(moment, ''),
});

/** The message in JSON. */
export type ContactSubmission = z.input<typeof contactSubmission>;

export const SEND_CONTACT = contract('POST /api/contact', {
  body: contactMessage,
  answer: z.object({
    contact: z.extend(contactSubmission, { id: fallback(rowId, 0) }),
    /** Such as 'C-42'. */
    reference: fallback(z.string(), ''),
  }),
});

/** The number under which a visitor, staff and emails refer to a contact message: 'C-12'. */
export function contactReference(id: number): string {
  return `C-${id}`;
}

/** The topic of the notifications about a message. */
export function contactTopic(id: number): string {
  return `submission ${id}`;
}

/** The subject of a reply to the message with this reference. */
export function inquirySubject({ name }: Company, reference: string): string {
  return `Re: Your inquiry to ${name} (${reference})`;
}

/** What has become of a contact or chat message. */
export const MARKS = ['new', 'answered', 'spam'] as const;
export type Mark = (typeof MARKS)[number];

/** What a notification adds for a message that looks like spam. */
export function spamWarning(mark: Mark): { suspicious: boolean; warning: string | null } {
  const suspicious = mark === 'spam';
  return {
    suspicious,
    warning: suspicious ? 'This message looks like spam. Don’t open any links in it.' : null,
  };
}

export const SENT = {
  title: 'Message Sent Successfully!',
  description: "Thank you for your message. We'll get back to you soon.",
};

/** The first complaint about each field of the form. */
export function faultsOf(errors: readonly { path: string; message: string }[]): ContactFaults {
  const faults: ContactFaults = {};
  for (const field of CONTACT_FIELDS) {
    const first = errors.find(({ path }) => path === field);
    if (first) faults[field] = first.message;
  }
  return faults;
}

/** A message that was sent without script and must be corrected. */
export interface ReturnedMessage {
  values: Readonly<Record<string, string>>;
  faults: ContactFaults;
  problem: string | null;
}

/** What became of a message that was sent without script; `refused`: why it was not read. */
export type ContactOutcome =
  | { reference: string }
  | { refused: string }
  | { returned: ReturnedMessage };
