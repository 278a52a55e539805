/** What a submission needs in the browser: the schema's check, the call, and names for its failures. Loaded when the form is first touched. */
import * as z from 'zod/mini';
import { CallError, fetchCall } from '../../platform/fetch-call.ts';
import { fields, id, or, text, time } from '../../platform/read.ts';
import { signsToSend } from '../../platform/spam.ts';
import type { ContactFaults, ContactValues } from '../contact-fields.ts';
import {
  type ContactAnswer,
  type ContactJson,
  contactMessage,
  contactReaders,
  faultsOf,
  SEND_CONTACT,
} from '../contact-message.ts';
import { keepLastSubmission } from '../kept-in-tab.ts';

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
export async function sendContact(
  values: ContactValues,
  website: string,
  fillMs: number,
): Promise<ContactAnswer> {
  const filled = Object.entries(values).filter(([, value]) => value.trim() !== '');
  const body = { ...Object.fromEntries(filled), ...signsToSend(website, fillMs) };
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
