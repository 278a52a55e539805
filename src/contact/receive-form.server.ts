/** POST /contact: the contact form sent without script. It runs POST /api/contact with its checks and limits, and answers with a page. */
import { MAX_EMAIL } from '../platform/fields.ts';
import { answerFault, type FieldError } from '../platform/http/answer.server.ts';
import { type App, answerCall, type Call, type CallContext } from '../platform/http/call.server.ts';
import { tryAgain } from '../platform/http/rate-limit.server.ts';
import { type FormFields, readForm } from '../platform/http/request-body.server.ts';
import {
  CONTACT_FIELDS,
  type ContactOutcome,
  errorsByField,
  MAX_CONTACT_MESSAGE,
  type ReturnedMessage,
} from './contact.ts';

interface Pages {
  page(content: ContactOutcome, status: number): Promise<Response>;
  /** Returns the cached page for this reason. One page is kept per reason, so there must be few of them. */
  refusal(reason: string, status: number, headers: Headers): Promise<Response>;
}

/** Refusals before the message was read. Nothing limits how often they occur, so they must not cost a rendering. */
const UNREAD = new Set([403, 429]);

/** `call`: POST /api/contact. */
export function registerContactForm(
  app: App,
  call: Call,
  { page, refusal }: Pages,
  site: CallContext,
): void {
  app.post('/contact', async (context) => {
    const read: { fields?: FormFields } = {};
    const answered = await answerCall(call, context, site, async (incoming) => {
      const form = await readForm(incoming);
      if ('body' in form) read.fields = form.body;
      return form;
    }).catch((error) => answerFault(error, '/contact', site.headers));
    const { status, ok } = answered;
    const json = await answered.json();
    const wait = answered.headers.get('retry-after');
    let shown: Response;
    if (!read.fields || UNREAD.has(status)) {
      const reason = reasonOf(status, Number(wait), json.message);
      shown = await refusal(reason, status, context.req.raw.headers);
    } else if (ok) {
      shown = await page({ reference: json.reference }, status);
    } else {
      shown = await page({ returned: returnedMessage(json, read.fields) }, status);
    }
    if (wait !== null) shown.headers.set('Retry-After', wait);
    return shown;
  });
}

/** Rounds the wait up, so that there are few different reasons. */
function reasonOf(status: number, wait: number, message: string): string {
  if (status !== 429) return message;
  return `Too many requests. ${tryAgain(wait <= 60 ? 60 : Math.ceil(wait / 600) * 600)}`;
}

interface Refusal {
  message: string;
  errors?: FieldError[];
}

function returnedMessage({ message, errors = [] }: Refusal, fields: FormFields): ReturnedMessage {
  const byField = errorsByField(errors);
  const problem = Object.keys(byField).length > 0 ? null : message;
  const values: Record<string, string> = {};
  for (const field of CONTACT_FIELDS)
    values[field] = (fields[field] ?? '').slice(
      0,
      field === 'message' ? MAX_CONTACT_MESSAGE : MAX_EMAIL,
    );
  return { values, errors: byField, problem };
}
