/** The contact form sent without script: the same as POST /api/contact, answered with a page. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { MAX_EMAIL } from '../platform/fields.ts';
import { type Asked, askedOf } from '../platform/http/capped-body.server.ts';
import { asJson, roughly } from '../platform/http/form-as-json.server.ts';
import { tryAgain } from '../platform/http/rate-limit.server.ts';
import { readForm } from '../platform/http/request-body.server.ts';
import { type ContactValues, eachField, faultsOf, MAX_MESSAGE } from './contact.ts';
import type { ContactOutcome } from './contact-page.tsx';

interface FormDeps {
  /** What POST /api/contact answers to this request. */
  receive(context: Context, asked: Asked): Promise<Response>;
  /** Of every answer that is a page or leads to one. */
  headers: Record<string, string>;
  page(content: ContactOutcome, status: number): Response;
  /** The finished page that gives a reason; there may be few of those. */
  refusal(reason: string, status: number, asked: Headers): Response;
}

/** Statuses with which a message is refused before anybody has looked at it. */
const UNREAD = new Set([403, 429]);

export function receiveForm(app: Hono<{ Bindings: HttpBindings }>, deps: FormDeps): void {
  app.get(
    '/contact',
    () => new Response(null, { status: 302, headers: { ...deps.headers, Location: '/#contact' } }),
  );

  app.post('/contact', async (context) => {
    const { req } = context;
    const read = await readForm(askedOf(context));
    const fields = 'fields' in read ? read.fields : null;
    const answered =
      'fields' in read
        ? await deps.receive(context, asJson(req, valuesOf(read.fields)))
        : read.refusal;
    const said: Answered = await answered.json();
    const wait = answered.headers.get('retry-after');
    // Nothing limits how often a message is refused unread, so that must not cost a rendering.
    const page =
      !fields || UNREAD.has(answered.status)
        ? deps.refusal(reasonOf(said, wait), answered.status, req.raw.headers)
        : deps.page(outcomeOf(answered.ok, said, fields), answered.status);
    if (wait !== null) page.headers.set('Retry-After', wait);
    return page;
  });
}

function reasonOf({ message = '' }: Answered, wait: string | null): string {
  return wait === null ? message : `Too many requests. ${tryAgain(roughly(Number(wait)))}`;
}

interface Answered {
  reference?: string;
  message?: string;
  errors?: { path: string; message: string }[];
}

function outcomeOf(
  ok: boolean,
  { reference = '', message = '', errors = [] }: Answered,
  fields: Record<string, string>,
): ContactOutcome {
  if (ok) return { reference };
  const faults = faultsOf(errors);
  const problem = Object.keys(faults).length > 0 ? null : message;
  const values = eachField((field) => {
    const most = field === 'message' ? MAX_MESSAGE : MAX_EMAIL;
    return (fields[field] ?? '').slice(0, most);
  });
  return { returned: { values, faults, problem } };
}

function valuesOf(fields: Record<string, string>): ContactValues {
  return eachField((field) => fields[field] ?? '');
}
