/** The contact form sent without script: the same as POST /api/contact, answered with a page. */
import { MAX_EMAIL } from '../platform/fields.ts';
import type { Call, Form, FormOutcome } from '../platform/http/call.server.ts';
import type { FormFields } from '../platform/http/request-body.server.ts';
import { eachField, faultsOf, MAX_MESSAGE } from './contact.ts';
import type { ContactOutcome } from './contact-page.tsx';

interface Pages {
  page(content: ContactOutcome, status: number): Promise<Response>;
  /** The finished page that gives a reason; there may be few of those. */
  refusal(reason: string, status: number, headers: Headers): Promise<Response>;
}

/** Statuses with which a message is refused unread. Nothing limits how often, so that must not cost a rendering. */
const UNREAD = new Set([403, 429]);

/** `call`: POST /api/contact. */
export function contactForm(call: Call, { page, refusal }: Pages): Form {
  return {
    path: '/contact',
    call,
    toBody: (fields) => eachField((field) => fields[field] ?? ''),
    page: ({ status, ok, json, reason, fields, headers }) =>
      fields && !UNREAD.has(status)
        ? page(ok ? { reference: json.reference } : { returned: returned(json, fields) }, status)
        : refusal(reason, status, headers),
  };
}

function returned({ message, errors = [] }: FormOutcome['json'], fields: FormFields) {
  const faults = faultsOf(errors);
  const problem = Object.keys(faults).length > 0 ? null : message;
  const values = eachField((field) => {
    const most = field === 'message' ? MAX_MESSAGE : MAX_EMAIL;
    return (fields[field] ?? '').slice(0, most);
  });
  return { values, faults, problem };
}
