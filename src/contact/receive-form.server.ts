/** POST /contact: the contact form sent without script. Checked and counted as POST /api/contact, answered with a page. */
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { MAX_EMAIL } from '../platform/fields.ts';
import type { FieldError } from '../platform/http/answer.server.ts';
import { answerCall, type Call, type CallContext } from '../platform/http/call.server.ts';
import { refuseFault } from '../platform/http/health.server.ts';
import { tryAgain } from '../platform/http/rate-limit.server.ts';
import { type FormFields, readForm } from '../platform/http/request-body.server.ts';
import type { ContactOutcome } from './contact.ts';
import { eachField, faultsOf, MAX_MESSAGE } from './contact.ts';

interface Pages {
  page(content: ContactOutcome, status: number): Promise<Response>;
  /** The finished page that gives a reason; there may be few of those. */
  refusal(reason: string, status: number, headers: Headers): Promise<Response>;
}

/** Statuses with which a message is refused unread. Nothing limits how often, so that must not cost a rendering. */
const UNREAD = new Set([403, 429]);

/** `call`: POST /api/contact. */
export function contactForm(
  app: Hono<{ Bindings: HttpBindings }>,
  call: Call,
  { page, refusal }: Pages,
  site: CallContext,
): void {
  app.post('/contact', async (context) => {
    const read: { fields?: FormFields } = {};
    const answered = await answerCall(call, context, site, async (incoming) => {
      const form = await readForm(incoming);
      if ('refusal' in form) return form;
      const { body } = form;
      read.fields = body;
      return { body: eachField((field) => body[field] ?? '') };
    }).catch((error) => refuseFault(error, '/contact', site.headers));
    const { status, ok } = answered;
    const json = await answered.json();
    const wait = answered.headers.get('retry-after');
    const shown =
      read.fields && !UNREAD.has(status)
        ? await page(
            ok ? { reference: json.reference } : { returned: returned(json, read.fields) },
            status,
          )
        : await refusal(
            reasonOf(status, Number(wait), json.message),
            status,
            context.req.raw.headers,
          );
    if (wait !== null) shown.headers.set('Retry-After', wait);
    return shown;
  });
}

/** A finished page for each second of waiting would be too many. */
function reasonOf(status: number, wait: number, message: string): string {
  if (status !== 429) return message;
  return `Too many requests. ${tryAgain(wait <= 60 ? 60 : Math.ceil(wait / 600) * 600)}`;
}

interface Refusal {
  message: string;
  errors?: FieldError[];
}

function returned({ message, errors = [] }: Refusal, fields: FormFields) {
  const faults = faultsOf(errors);
  const problem = Object.keys(faults).length > 0 ? null : message;
  const values = eachField((field) => {
    const most = field === 'message' ? MAX_MESSAGE : MAX_EMAIL;
    return (fields[field] ?? '').slice(0, most);
  });
  return { values, faults, problem };
}
