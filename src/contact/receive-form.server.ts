/** POST /contact: the contact form without script. Runs POST /api/contact and answers a page. */

import { MAX_CONTACT_MESSAGE, MAX_EMAIL } from '../limits.ts';
import { answerFault, type FieldError } from '../platform/http/answer.server.ts';
import { type App, answerCall } from '../platform/http/call.server.ts';
import { type FormFields, readForm } from '../platform/http/request-body.server.ts';
import { SITE_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { CONTACT_FIELDS, type ContactOutcome, type ReturnedMessage } from './contact.ts';
import { receiveContactMessage } from './contact-message.server.ts';

type RenderPage = (content: ContactOutcome, status: number) => Promise<Response>;

export function registerContactForm(app: App, renderPage: RenderPage, site: Site): void {
  const call = receiveContactMessage(site);
  app.post(SITE_PAGES.contact.path, async (context) => {
    const read: { fields?: FormFields } = {};
    const answered = await answerCall(call, context, site, async (incoming) => {
      const form = await readForm(incoming);
      if ('refusal' in form) return form;
      // Extensions of browsers add fields of their own.
      read.fields = Object.fromEntries(
        CONTACT_FIELDS.map((field) => [field, form.body[field] ?? '']),
      );
      return { body: read.fields };
    }).catch((error) => answerFault(error, SITE_PAGES.contact.path, site.headers.api));
    const { status, ok } = answered;
    const json = await answered.json();
    const wait = answered.headers.get('retry-after');
    if (ok) return renderPage({ reference: json.reference }, status);
    // A message that was refused before it was read has no fields to show.
    const response = read.fields
      ? await renderPage({ returned: returnedMessage(json, read.fields) }, status)
      : plainRefusal(json.message, status, site.headers.api);
    if (wait !== null) response.headers.set('Retry-After', wait);
    return response;
  });
}

function plainRefusal(reason: string, status: number, shared: Record<string, string>): Response {
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
  const values: Record<string, string> = {};
  const byField: Record<string, string> = {};
  for (const field of CONTACT_FIELDS) {
    values[field] = (fields[field] ?? '').slice(
      0,
      field === 'message' ? MAX_CONTACT_MESSAGE : MAX_EMAIL,
    );
    const first = errors.find(({ path }) => path === field);
    if (first) byField[field] = first.message;
  }
  const problem = Object.keys(byField).length > 0 ? null : message;
  return { values, errors: byField, problem };
}
