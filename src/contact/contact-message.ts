/** A message from the contact form: what is allowed, how it is sent, what comes back. The form loads it when it is first touched. */
import * as z from 'zod/mini';
import type { Company } from '../company/company.ts';
import { emailField, multiLine, phoneField, singleLine } from '../platform/fields.ts';
import type { Contract } from '../platform/old/contract.ts';
import { CallError, fetchCall } from '../platform/old/fetch-call.ts';
import { moment, rowId } from '../platform/old/json-shapes.ts';
import { fields, id, or, text, time } from '../platform/old/read.ts';
import {
  CONTACT_FIELDS,
  type ContactFaults,
  type ContactValues,
  keepLastSubmission,
  SERVICE_CHOICES,
} from './contact-fields.ts';

const SERVICE_VALUES = Object.keys(SERVICE_CHOICES);
const MAX_NAME = 100;
export const MAX_MESSAGE = 5_000;

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

/** The subject of the answer to a message with this reference. */
export function inquirySubject({ name }: Company, reference: string): string {
  return `Re: Your inquiry to ${name} (${reference})`;
}

export function suspicion(mark: string): { suspicious: boolean; warning: string | null } {
  const suspicious = mark === 'spam';
  return {
    suspicious,
    warning: suspicious ? 'This message looks like spam. Don’t open any links in it.' : null,
  };
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

export function checkContact(values: ContactValues): ContactFaults {
  const { error } = contactMessage.safeParse(values);
  const issues = error?.issues ?? [];
  return faultsOf(issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })));
}

const readReceived = (typed: ContactValues) =>
  fields<ContactAnswer>({
    contact: fields<ContactJson>({
      id: or(id, 0),
      ...contactReaders(typed),
      createdAt: or(time, new Date().toISOString()),
    }),
    reference: or(text, ''),
  });

/** Why a message did not arrive, in words for the visitor. */
export class NotSent extends Error {
  /** When it is about what was typed. */
  readonly faults: ContactFaults;

  constructor(message: string, cause?: unknown, faults: ContactFaults = {}) {
    super(message, { cause });
    this.faults = faults;
  }
}

/** A proxy's error page is no message; its beginning is enough to tell by. */
const LONGEST_RAW = 200;

/** Sends what was filled in. Throws a `NotSent`. */
export async function sendContact(values: ContactValues): Promise<ContactAnswer> {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const body = Object.fromEntries(filled);
  const received = await fetchCall(SEND_CONTACT, readReceived(values), { body }).catch(
    (error: unknown) => {
      throw reasonOf(error);
    },
  );
  keepLastSubmission(received.contact);
  return received;
}

const NO_ANSWER = 'Failed to receive response from server';

function reasonOf(error: unknown): NotSent {
  // `fetch` fails with a TypeError when nothing comes back, JSON with a SyntaxError when it is something else.
  if (!(error instanceof CallError)) return new NotSent(NO_ANSWER, error);
  const said = error.reason || error.body.slice(0, LONGEST_RAW);
  return new NotSent(said || 'Failed to submit the form', error, faultsOf(error.errors));
}
