/**
 * Every call under /api is one `Call`, and all of them go through `registerCalls`, which checks in one order:
 * method, origin, limit, content type, size, JSON, session, schema. A call cannot forget a check, only loosen one.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { type Allowances, refuseTooMany } from './allowances.server.ts';
import { refuse } from './answer.server.ts';
import type { Cookies } from './cookies.server.ts';
import { isForeign, type OwnOrigin } from './origin.server.ts';
import { EVERY_CALL, type Limit, type RateLimits } from './rate-limit.server.ts';
import { readBody } from './request-body.server.ts';
import { SCHEMA_WORDS } from './schema-words.server.ts';
import { limitKey } from './visitor-address.server.ts';

export interface Staff {
  userId: number;
  username: string;
  tokenHash: string;
}

/** 'recognised': anyone may ask, and staff are known as such; that needs the database, 'anyone' does not. */
type Access = 'anyone' | 'recognised' | 'staff';

export interface CallRequest<Body, By extends Access = 'anyone'> {
  body: Body;
  /** The `:name` parts of the path. */
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Headers;
  /** The visitor's address and what limits count it by. */
  address: string;
  limitKey: string;
  /** Set when a member of staff asks, unless the call is for 'anyone' and has no use for it. */
  staff: By extends 'staff' ? Staff : By extends 'recognised' ? Staff | null : null;
  /** Says that the call was accepted, and counts toward its own limit rather than toward EVERY_CALL. */
  accept(): void;
}

export interface Call<Body = null, By extends Access = Access> {
  method: 'GET' | 'POST';
  path: `/api/${string}`;
  access: By;
  /** Leave it out for EVERY_CALL; null for no limit. One of its own counts what the answer accepts. */
  limit?: Limit | null;
  /** The shape of the JSON body; a call without one takes no input and reads none. */
  body?: z.ZodMiniType<Body>;
  /** The call checks a signature of its own: any origin, body handed over as text. */
  signed?: true;
  answer(request: CallRequest<Body, By>): Response | Promise<Response>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds calls of different bodies; `call` ties each body to its schema.
export type AnyCall = Call<any, any>;

/** Ties the body that a call's answer reads to the schema that checked it. */
export function call<Body = null, By extends Access = Access>(definition: Call<Body, By>): AnyCall {
  return definition;
}

export interface CallGround extends OwnOrigin {
  cookies: Cookies;
  limits: RateLimits;
  allowances: Allowances;
  visitorAddress(context: Context): string;
  findStaff(cookieHeader: string | undefined): Promise<Staff | null>;
}

export function registerCalls(
  app: Hono<{ Bindings: HttpBindings }>,
  calls: readonly AnyCall[],
  ground: CallGround,
): void {
  for (const path of new Set(calls.map((each) => each.path))) {
    const here = calls.filter((each) => each.path === path);
    app.all(path, async (context) => {
      const method = context.req.method === 'HEAD' ? 'GET' : context.req.method;
      const found = here.find((each) => each.method === method);
      return found
        ? answerCall(found, context, ground)
        : refuse(405, 'This method is not allowed here', {
            headers: { Allow: here.map((each) => each.method).join(', ') },
          });
    });
  }
  app.all('/api/*', () => refuse(404, 'There is nothing at this address'));
}

/** `asked` is what is answered: the request that came in, unless that was a form which says the same. */
export async function answerCall(
  call: AnyCall,
  context: Context,
  ground: CallGround,
  asked: Request = context.req.raw,
): Promise<Response> {
  const { req } = context;
  const { headers } = asked;
  const cookie = headers.get('cookie') ?? undefined;
  const asStaff = call.access !== 'anyone' && ground.cookies.read(cookie, 'session') !== undefined;
  if (call.method !== 'GET' && !call.signed && isForeign(asked, ground, asStaff)) {
    return refuse(403, 'This call must come from the site itself');
  }
  const address = ground.visitorAddress(context);
  const key = limitKey(address);
  const limit = call.limit === undefined ? EVERY_CALL : call.limit;
  if (limit === EVERY_CALL) {
    const { wait } = ground.limits.take(limit, key);
    if (wait > 0) return refuseTooMany(wait);
  }
  const checked = await check(call, asked, async () => (asStaff ? ground.findStaff(cookie) : null));
  const answering = (accept: () => void) =>
    checked instanceof Response
      ? checked
      : call.answer({
          ...checked,
          params: req.param(),
          query: new URL(req.url).searchParams,
          headers,
          address,
          limitKey: key,
          accept,
        });
  return limit === null || limit === EVERY_CALL
    ? answering(() => undefined)
    : ground.allowances.spend(limit, key, answering);
}

/** What the call may read of the request, or why it is refused. */
async function check(
  call: AnyCall,
  asked: Request,
  findStaff: () => Promise<Staff | null>,
): Promise<Pick<CallRequest<unknown, Access>, 'body' | 'staff'> | Response> {
  const read = await readBody(asked, call.signed ? 'text' : call.body ? 'json' : 'none');
  if ('refusal' in read) return read.refusal;
  const staff = await findStaff();
  if (call.access === 'staff' && !staff) return refuse(401, 'Please sign in');
  if (!call.body || call.signed) return { body: read.body, staff };
  const checked = call.body.safeParse(read.body, SCHEMA_WORDS);
  return checked.success ? { body: checked.data, staff } : refuseInvalid(checked.error);
}

/** 400 with the schema's messages at their fields; the first is also the message for people. */
export function refuseInvalid(error: z.core.$ZodError): Response {
  const errors = error.issues.map(({ path, message }) => ({
    path: z.core.toDotPath(path),
    message,
  }));
  const first = errors[0];
  return refuse(
    400,
    first ? (first.path ? first.message : `The request is not valid: ${first.message}`) : '',
    { errors },
  );
}

const ID = /^[1-9]\d{0,9}$/;

/** A path's id as a number that both databases can hold; undefined for anything else. */
export function readId(text: string | undefined): number | undefined {
  return text && ID.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}
