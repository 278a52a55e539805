/**
 * Every call under /api is one `Call`, and the contact form without script is answered as one. All of them go through
 * `answerCall`, which checks in one order: origin, limit, content type, size, JSON or form, session, schema. A call cannot
 * forget a check, only loosen one.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { Contract, Schema } from '../contract.ts';
import { refuse, toResponse, type WithHeaders } from './answer.server.ts';
import { limitKey } from './client-ip.server.ts';
import type { Cookies } from './cookies.server.ts';
import { EVERY_CALL, type Limit, type RateLimits } from './rate-limit.server.ts';
import { type Incoming, type ReadBody, readBody } from './request-body.server.ts';

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
  /** Counts this request toward the call's own limit. A request that never calls it counts toward EVERY_CALL instead. */
  countTowardLimit(): void;
}

/** How the server keeps a contract. */
interface Definition<Body extends Schema | null, Answer extends Schema | null, By extends Access> {
  access: By;
  /** Leave it out for EVERY_CALL; null for no limit. One of its own counts what the answer accepts. */
  limit?: Limit | null;
  /** The call checks a signature of its own: any origin, body handed over as text. */
  signed?: boolean;
  /** Answers 201: something new has come about. */
  creates?: boolean;
  handle(
    request: CallRequest<Body extends Schema ? z.output<Body> : null, By>,
  ): Given<Answer> | Promise<Given<Answer>>;
}

type Given<Answer extends Schema | null> = Answer extends Schema
  ? z.input<Answer> | WithHeaders<z.input<Answer>> | Response
  : Response;

/** One call of the site, as it is registered. */
export interface Call extends Contract {
  access: Access;
  limit: Limit | null;
  signed: boolean;
  creates: boolean;
  handle(request: CallRequest<unknown, Access>): Promise<Response>;
}

/** Ties what answers a call to its contract. */
export function call<Body extends Schema | null, Answer extends Schema | null, By extends Access>(
  contract: Contract<Body, Answer>,
  {
    limit = EVERY_CALL,
    signed = false,
    creates = false,
    ...definition
  }: Definition<Body, Answer, By>,
): Call {
  const { access, handle } = definition;
  return {
    ...contract,
    access,
    limit,
    signed,
    creates,
    // The request has been checked against this very contract.
    handle: async (request) =>
      toResponse(await handle(request as Parameters<typeof handle>[0]), creates ? 201 : 200),
  };
}

export interface CallContext {
  /** PUBLIC_URL, or the address that the server listens on. */
  publicOrigin: string;
  /** While PUBLIC_URL is not set, the origin that a request's own Host names is the site's own too. */
  hostCounts: boolean;
  cookies: Cookies;
  limits: RateLimits;
  /** Of every answer under /api, unless a stricter call says its own. */
  headers: Readonly<Record<string, string>>;
  clientIp(context: Context): string;
  findStaff(cookieHeader: string | undefined): Promise<Staff | null>;
}

export function registerCalls(
  app: Hono<{ Bindings: HttpBindings }>,
  calls: readonly Call[],
  site: CallContext,
): void {
  app.use('/api/*', async (context, next) => {
    await next();
    const { headers: own } = context.res;
    for (const [name, value] of Object.entries(site.headers))
      if (!own.has(name)) own.set(name, value);
  });
  for (const path of new Set(calls.map((each) => each.path))) {
    const here = calls.filter((each) => each.path === path);
    app.all(path, async (context) => {
      const method = context.req.method === 'HEAD' ? 'GET' : context.req.method;
      const found = here.find((each) => each.method === method);
      return found
        ? answerCall(found, context, site)
        : refuse(405, 'This method is not allowed here', {
            headers: { Allow: here.map((each) => each.method).join(', ') },
          });
    });
  }
  app.all('/api/*', () => refuse(404, 'There is nothing at this address'));
}

/** `read`: how the body is read, of a form that a browser posts by itself. */
export async function answerCall(
  call: Call,
  context: Context,
  site: CallContext,
  read = (incoming: Incoming): Promise<ReadBody> =>
    readBody(incoming, call.signed ? 'text' : call.body ? 'json' : 'none'),
): Promise<Response> {
  const { req, env } = context;
  const { headers } = req.raw;
  const { limits } = site;
  const cookie = headers.get('cookie') ?? undefined;
  const asStaff = call.access !== 'anyone' && site.cookies.read(cookie, 'session') !== undefined;
  if (call.method !== 'GET' && !call.signed && isForeign(req.raw, site, asStaff)) {
    return refuse(403, 'This call must come from the site itself');
  }
  const address = site.clientIp(context);
  const key = limitKey(address);
  const { limit } = call;
  const ownLimit = limit === EVERY_CALL ? null : limit;
  const wait = ownLimit ? limits.wait(ownLimit, key) : limit ? limits.take(limit, key).wait : 0;
  if (wait > 0) return limits.refuse(wait, key);
  // Read before the allowance is taken, or a body that never ends would hold a part of it.
  const received = await read({ headers, body: env.incoming });
  const answering = async (countTowardLimit: () => void) => {
    if ('refusal' in received) return received.refusal;
    const staff = asStaff ? await site.findStaff(cookie) : null;
    if (call.access === 'staff' && !staff) return refuse(401, 'Please sign in');
    const body = checkBody(call, received.body);
    if (body instanceof Response) return body;
    return call.handle({
      body: body.checked,
      staff,
      params: req.param(),
      query: new URL(req.url).searchParams,
      headers,
      address,
      limitKey: key,
      countTowardLimit,
    });
  };
  return ownLimit ? limits.spend(ownLimit, key, answering) : answering(() => undefined);
}

/**
 * Go 1.25's cross-origin rule for state-changing calls: the browser's own word (Sec-Fetch-Site) counts first,
 * then the Origin. A caller that sends neither is no browser, and passes unless it would act as staff.
 */
function isForeign(
  { headers, url }: Request,
  { publicOrigin, hostCounts }: CallContext,
  actsAsStaff: boolean,
): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site !== 'same-origin' && site !== 'none';
  const origin = headers.get('origin');
  if (origin === null) return actsAsStaff;
  return origin !== publicOrigin && !(hostCounts && origin === new URL(url).origin);
}

/** What the call's schema makes of a body, or why it is refused. */
function checkBody({ body: schema, signed }: Call, body: unknown): { checked: unknown } | Response {
  if (!schema || signed) return { checked: body };
  if (entriesBeyond(body, MAX_ENTRIES) < 0) return refuse(400, 'The request has too many fields');
  const checked = schema.safeParse(body, FIELD_MESSAGES);
  return checked.success ? { checked: checked.data } : refuseInvalid(checked.error);
}

/** Keys and items of a whole body; several times as many as the longest form has. */
const MAX_ENTRIES = 500;

/** `left` without the entries of a value; stops counting, and going deeper, below zero. */
function entriesBeyond(value: unknown, left: number): number {
  if (left < 0 || typeof value !== 'object' || value === null) return left;
  let rest = left;
  for (const each of Object.values(value)) {
    rest = entriesBeyond(each, rest - 1);
    if (rest < 0) break;
  }
  return rest;
}

/** What is wrong with a field whose schema has no words of its own; repeats nothing of a value. */
export const FIELD_MESSAGES = {
  error: ({ code, path = [], input }: z.core.$ZodRawIssue): string => {
    if (code === 'unrecognized_keys') return 'It has fields that are not known here';
    const name = nameOf(path);
    return input === undefined ? `${name} is required` : `${name} is not valid`;
  },
};

/** 'Plan id' for planId. */
function nameOf(path: readonly PropertyKey[]): string {
  const key = path.findLast((each) => typeof each === 'string') ?? 'this';
  const words = String(key)
    .slice(0, 40)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** More faults at once help no one, and a path may be as long as what was sent. */
const MAX_TOLD = 10;
const MAX_PATH = 100;

/** 400 with the schema's messages at their fields; the first is also the message for people. */
export function refuseInvalid(error: z.core.$ZodError): Response {
  const errors = error.issues.slice(0, MAX_TOLD).map(({ path, message }) => ({
    path: z.core.toDotPath(path).slice(0, MAX_PATH),
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
