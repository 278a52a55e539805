/** POST /contact: the contact form sent without script. It runs POST /api/contact with its checks and limits, and answers with a page. */
import { MAX_EMAIL } from '../platform/fields.ts';
import { answerFault, type FieldError } from '../platform/http/answer.server.ts';
import { type App, answerCall, type Call, type CallContext } from '../platform/http/call.server.ts';
import { type FormFields, readForm } from '../platform/http/request-body.server.ts';
import {
  CONTACT_FIELDS,
  type ContactOutcome,
  errorsByField,
  MAX_CONTACT_MESSAGE,
  type ReturnedMessage,
} from './contact.ts';

/** Refusals before the message was read. Nothing limits how often they occur, so they must not cost a rendering. */
const UNREAD = new Set([403, 429]);

type RenderPage = (content: ContactOutcome, status: number) => Promise<Response>;

/** `call`: POST /api/contact. */
export function registerContactForm(
  app: App,
  call: Call,
  renderPage: RenderPage,
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
    const shown =
      !read.fields || UNREAD.has(status)
        ? unread(json.message, status, site.headers)
        : await renderPage(
            ok ? { reference: json.reference } : { returned: returnedMessage(json, read.fields) },
            status,
          );
    if (wait !== null) shown.headers.set('Retry-After', wait);
    return shown;
  });
}

function unread(reason: string, status: number, shared: Record<string, string>): Response {
  return new Response(
    `Your message wasn’t sent. ${reason}\n\nWhat you wrote is still in the form: your browser’s Back button returns to it.\n`,
    { status, headers: { ...shared, 'Content-Type': 'text/plain; charset=utf-8' } },
  );
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
