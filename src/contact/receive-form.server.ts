/** The contact form sent without script: the same as POST /api/contact, answered with a page. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { readForm } from '../platform/request-body.server.ts';
import { CONTACT_FIELDS, type ContactValues } from './contact-fields.ts';
import { faultsOf } from './contact-message.ts';
import type { ContactOutcome } from './contact-page.tsx';

interface Ground {
  /** What POST /api/contact answers to this request. */
  receive(context: Context, asked: Request): Promise<Response>;
  /** Of every answer that is a page or leads to one. */
  headers: Record<string, string>;
  page(content: ContactOutcome, status: number, headers: Record<string, string>): Response;
}

/** It goes on to the call as it came: where from, and whose. */
const PASSED_ON = ['origin', 'sec-fetch-site', 'cookie'];

export function receiveForm(app: Hono<{ Bindings: HttpBindings }>, ground: Ground): void {
  app.get(
    '/contact',
    () =>
      new Response(null, { status: 302, headers: { ...ground.headers, Location: '/#contact' } }),
  );

  app.post('/contact', async (context) => {
    const read = await readForm(context.req.raw);
    const fields = 'fields' in read ? read.fields : {};
    const answered =
      'fields' in read ? await ground.receive(context, asJson(context.req, fields)) : read.refusal;
    const wait = answered.headers.get('retry-after');
    return ground.page(
      outcomeOf(answered.ok, await answered.json(), fields),
      answered.status,
      wait === null ? {} : { 'Retry-After': wait },
    );
  });
}

function asJson({ raw, url }: Context['req'], fields: Record<string, string>): Request {
  const headers = new Headers({ 'Content-Type': 'application/json' });
  for (const name of PASSED_ON) {
    const value = raw.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const { website } = fields;
  const body = JSON.stringify({ ...valuesOf(fields), website });
  return new Request(url, { method: 'POST', headers, body });
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
  return { returned: { values: valuesOf(fields), faults, problem } };
}

function valuesOf(fields: Record<string, string>): ContactValues {
  const values: ContactValues = { name: '', email: '', phone: '', service: '', message: '' };
  for (const field of CONTACT_FIELDS) values[field] = fields[field] ?? '';
  return values;
}
