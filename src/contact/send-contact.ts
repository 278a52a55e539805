/** POST /api/contact from the browser, and what its failures are called. */
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import { type ContactFaults, type ContactValues, faultsOf } from './contact-fields.ts';
import type { ContactReceived } from './contact-message.ts';

type Sent =
  | { received: ContactReceived }
  /** `message` in words for the visitor; `faults` when it is about what was typed. */
  | { message: string; faults: ContactFaults };

/** Signs by which the server tells people from programs; see platform/spam. */
interface Signs {
  website: string;
  fillMs: number;
}

const NO_ANSWER = 'Failed to receive response from server';
const UNKNOWN = 'There was a problem sending your message. Please try again.';
/** A proxy's error page is no message; its beginning is enough to tell by. */
const LONGEST_RAW = 200;

export async function sendContact(values: ContactValues, signs: Signs): Promise<Sent> {
  try {
    const received = await fetchJson<ContactReceived | null>('/api/contact', {
      method: 'POST',
      body: { ...values, ...signs },
    });
    return received?.contact ? { received } : { message: NO_ANSWER, faults: {} };
  } catch (error) {
    if (!(error instanceof CallError)) return { message: withoutAnswer(error), faults: {} };
    const message = error.reason || error.body.slice(0, LONGEST_RAW);
    return { message: message || 'Failed to submit the form', faults: faultsOf(error.errors) };
  }
}

/** `fetch` fails with a TypeError when nothing comes back; anything else is a fault of ours. */
function withoutAnswer(error: unknown): string {
  return error instanceof TypeError ? NO_ANSWER : UNKNOWN;
}
