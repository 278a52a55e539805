/** What a submission needs in the browser: the schema's check, the call, and names for its failures. Loaded when the form is first touched. */
import * as z from 'zod/mini';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { fields, id, or, text, time } from '../platform/read.ts';
import { type ContactFaults, type ContactValues, faultsOf } from './contact-fields.ts';
import { type ContactJson, type ContactReceived, contactMessage } from './contact-message.ts';
import { keepLastSubmission } from './last-submission.ts';

export function checkContact(values: ContactValues): ContactFaults {
  const { error } = contactMessage.safeParse(values);
  const issues = error?.issues ?? [];
  return faultsOf(issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message })));
}

/** Signs by which the server tells people from programs; see platform/spam. */
interface Signs {
  website: string;
  fillMs: number;
}

type Sent = ContactReceived | Refused;

/** What the answer does not repeat is as it was typed. */
const readReceived = (typed: ContactValues) =>
  fields<ContactReceived>({
    contact: fields<ContactJson>({
      id: or(id, 0),
      name: or(text, typed.name),
      email: or(text, typed.email),
      phone: or(text, typed.phone || null),
      service: or(text, typed.service || null),
      message: or(text, typed.message),
      createdAt: or(time, new Date().toISOString()),
    }),
    reference: or(text, ''),
  });

interface Refused {
  /** In words for the visitor; '' when there is nothing to say but that it failed. */
  message: string;
  /** When it is about what was typed. */
  faults: ContactFaults;
}

/** `fetch` fails with a TypeError when nothing comes back, JSON with a SyntaxError when it is something else. */
const NO_ANSWER: Refused = { message: 'Failed to receive response from server', faults: {} };
const UNKNOWN: Refused = { message: '', faults: {} };
/** A proxy's error page is no message; its beginning is enough to tell by. */
const LONGEST_RAW = 200;

export async function sendContact(values: ContactValues, signs: Signs): Promise<Sent> {
  try {
    const received = await fetchJson('/api/contact', readReceived(values), {
      method: 'POST',
      body: { ...values, ...signs },
    });
    keepLastSubmission(received.contact);
    return received;
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return NO_ANSWER;
    if (!(error instanceof CallError)) return UNKNOWN;
    const message = error.reason || error.body.slice(0, LONGEST_RAW);
    return { message: message || 'Failed to submit the form', faults: faultsOf(error.errors) };
  }
}
