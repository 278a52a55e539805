/** Every call is checked in one order: origin, limit, type, size, body, session, schema. */
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { type CallLimit, EVERY_CALL, STAFF_WAIT_MS, VISITOR_WAITS_MS } from '../../limits.ts';
import type { Contract, Schema } from '../contract.ts';
import { withDeadline } from '../deadline.server.ts';
import { UNATTENDED } from '../fetch-call.ts';
import { refuse, sendJson } from './answer.server.ts';
import { limitKey } from './client-ip.server.ts';
import { type Cookies, requestCookies } from './cookies.server.ts';
import type { HeaderSets } from './headers.server.ts';
import { isOwnHost } from './own-host.server.ts';
import { type RateLimits, refuseTooMany } from './rate-limit.server.ts';
import { type Incoming, type ReadBody, readBody } from './request-body.server.ts';

/** Node's request stands beside Hono's, whose body stream is slower. */
export type App = Hono<{ Bindings: HttpBindings }>;

export interface Staff {
  accountId: number;
  /** As colleagues read it. */
  name: string;
  /** As customers read it; null until it is known. */
  publicName: string | null;
  tokenHash: string;
  /** How the session began. */
  signInMethod: SignInMethod;
  /** The session may do nothing but set up an authenticator. */
  mustSetUp: boolean;
}

/** 'oidc': the company's own provider, which asks for a second factor of its own. */
export type SignInMethod = 'password' | 'oidc';

/** 'recognized': open to anyone, but the handler learns whether staff call, by a query. */
type Access = 'anyone' | 'recognized' | 'staff';

export interface CallRequest<Body, By extends Access = 'anyone'> {
  body: Body;
  /** The `:name` parts of the path, and the row's id if `:id` is one; 0 for anything else. */
  params: Record<string, string>;
  id: number;
  query: URLSearchParams;
  headers: Headers;
  cookies: Cookies;
  /** The client's IP address, and the key under which limits count it. */
  address: string;
  limitKey: string;
  /** Set when staff are calling, unless the call's access is 'anyone'. */
  staff: By extends 'staff' ? Staff : By extends 'recognized' ? Staff | null : null;
  /** A repeat that costs no call elsewhere counts toward EVERY_CALL, while that allows it. */
  countAsRepeat(): void;
  /** For an answer that is a stream. */
  context: Context;
}

/** What says who acts. */
export type StaffRequest = Pick<CallRequest<unknown, 'staff'>, 'staff' | 'address'>;

interface Options<By extends Access = Access> {
  access: By;
  /** Counts calls as they come, whatever comes of them. Defaults to EVERY_CALL; null for none. */
  limit?: CallLimit | null;
  /** The handler verifies a signature: any origin may call, and the body is passed on as text. */
  signed?: boolean;
  /** A GET that other sites may not make: it takes room or answers with a visitor's words. */
  ownPagesOnly?: boolean;
  creates?: boolean;
  /** Also for a session that has to set up an authenticator first. */
  beforeSetUp?: boolean;
}

type Handler<Body extends Schema | null, Answer extends Schema | null, By extends Access> = (
  request: CallRequest<Body extends Schema ? z.output<Body> : null, By>,
) => HandlerResult<Answer> | Promise<HandlerResult<Answer>>;

type HandlerResult<Answer extends Schema | null> = Answer extends Schema
  ? z.input<Answer> | Response
  : Response;

export interface Call extends Contract, Required<Options> {
  handle(request: CallRequest<unknown, Access>): Promise<Response>;
}

/** How the server answers to a contract. `options`: who may call, if there is nothing else. */
export function call<Body extends Schema | null, Answer extends Schema | null, By extends Access>(
  contract: Contract<Body, Answer>,
  options: By | Options<By>,
  handle: Handler<Body, Answer, By>,
): Call {
  const given: Options<By> = typeof options === 'string' ? { access: options } : options;
  const { creates = false, signed = false } = given;
  return {
    ...contract,
    limit: EVERY_CALL,
    signed,
    ownPagesOnly: contract.method !== 'GET' && !signed,
    creates,
    beforeSetUp: false,
    ...given,
    // `answerCall` has checked the request against this contract.
    handle: async (request) => {
      const result = await handle(request as Parameters<typeof handle>[0]);
      const response = result instanceof Response ? result : sendJson(result, creates ? 201 : 200);
      for (const cookie of request.cookies.changes) response.headers.append('Set-Cookie', cookie);
      return response;
    },
  };
}

/** What the checks of every call need. */
export interface CallChecks {
  /** PUBLIC_URL, or the origin that the server listens on. */
  publicUrl: string;
  /** Without PUBLIC_URL: Host names the site's own origin, if it is this machine's. */
  hostCounts: boolean;
  limits: RateLimits;
  headers: HeaderSets;
  clientIp(incoming: IncomingMessage): string;
  /** `token`: of the session cookie. `prolongs`: whether the session counts as used. */
  findStaff(token: string | undefined, prolongs: boolean): Promise<Staff | null>;
}

export function registerCalls(app: App, calls: readonly Call[], site: CallChecks): void {
  const shared = new Map(Object.entries(site.headers.api));
  app.use('/api/*', async ({ env: { outgoing } }, next) => {
    // An answer's own headers replace these. Added to it, each would be checked and copied twice.
    outgoing.setHeaders(shared);
    await next();
  });
  for (const path of new Set(calls.map((registered) => registered.path))) {
    const callsAtPath = calls.filter((registered) => registered.path === path);
    app.all(path, async (context) => {
      const method = context.req.method === 'HEAD' ? 'GET' : context.req.method;
      const called = callsAtPath.find((candidate) => candidate.method === method);
      return called
        ? answerCall(called, context, site)
        : refuse(405, 'This method is not allowed here', {
            headers: { Allow: callsAtPath.map((candidate) => candidate.method).join(', ') },
          });
    });
  }
  app.all('/api/*', () => refuse(404, 'There is nothing at this address'));
}

/** `read` reads the body; only the form without script brings its own. */
export async function answerCall(
  call: Call,
  context: Context,
  site: CallChecks,
  read = (incoming: Incoming): Promise<ReadBody> =>
    readBody(incoming, call.signed ? 'text' : call.body ? 'json' : 'none'),
): Promise<Response> {
  const { req, env } = context;
  const { headers } = req.raw;
  const { limits } = site;
  const cookies = requestCookies(context, site.publicUrl.startsWith('https:'));
  const session = call.access === 'anyone' ? undefined : cookies.get('session');
  const asStaff = session !== undefined;
  const changes = call.method !== 'GET';
  const foreign = call.ownPagesOnly ? foreignTo(site, req.raw, asStaff && changes) : null;
  if (foreign !== null) return refuse(403, foreign);
  const address = site.clientIp(env.incoming);
  const key = limitKey(address);
  const { limit } = call;
  const { wait, giveBack } = limits.takeAll(limit ? [[limit, key]] : []);
  if (wait > 0) return refuseTooMany(wait);
  const received = await read({ headers, body: env.incoming });
  if ('refusal' in received) return received.refusal;
  const found = asStaff ? await site.findStaff(session, !headers.has(UNATTENDED)) : null;
  const mayCall = !found?.mustSetUp || call.beforeSetUp;
  const staff = mayCall ? found : null;
  if (call.access === 'staff' && !mayCall) return refuse(403, SET_UP_FIRST);
  if (call.access === 'staff' && !staff) return refuse(401, 'Please sign in');
  const body = checkBody(call, received.body);
  if (body instanceof Response) return body;
  const request = {
    body: body.checked,
    staff,
    params: req.param(),
    id: readId(req.param('id')) ?? 0,
    query: new URL(req.url).searchParams,
    headers,
    cookies,
    address,
    limitKey: key,
    countAsRepeat() {
      if (limits.take(EVERY_CALL, key) === 0) giveBack();
    },
    context,
  };
  // A provider's own events are signed: it sends them again.
  if (call.signed) return call.handle(request);
  const patience = call.access === 'staff' ? STAFF_WAIT_MS : VISITOR_WAITS_MS;
  return withDeadline(patience, () => call.handle(request));
}

/**
 * Why a request counts as another site's, by the rules of Go 1.25's CrossOriginProtection:
 * Sec-Fetch-Site, then Origin. A client that sends neither is no browser, and may call unless it
 * would act as staff. Null when it is the site's own.
 */
function foreignTo(
  { publicUrl, hostCounts }: CallChecks,
  { headers, url }: Request,
  actsAsStaff: boolean,
): string | null {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  if (!site && origin === null) return actsAsStaff ? FOREIGN : null;
  const requested = new URL(url);
  if (hostCounts && !isOwnHost(requested.hostname)) return UNKNOWN_HOST;
  if (site) return site === 'same-origin' || site === 'none' ? null : FOREIGN;
  return origin === publicUrl || (hostCounts && origin === requested.origin) ? null : FOREIGN;
}

const SET_UP_FIRST = 'Set up an authenticator on the account page first';
const FOREIGN = 'This call must come from the site itself';
const UNKNOWN_HOST =
  'The site does not know this host name. To use it, set PUBLIC_URL to the address of the site.';

function checkBody({ body: schema, signed }: Call, body: unknown): { checked: unknown } | Response {
  if (!schema || signed) return { checked: body };
  const checked = schema.safeParse(body, FIELD_MESSAGES);
  return checked.success ? { checked: checked.data } : refuseInvalid(checked.error);
}

/** Messages for fields whose schema has none of its own. They never repeat the value. */
export const FIELD_MESSAGES = {
  error: ({ code, path = [], input }: z.core.$ZodRawIssue): string => {
    if (code === 'unrecognized_keys') return 'It has fields that are not known here';
    const name = nameOf(path);
    return input === undefined ? `${name} is required` : `${name} is not valid`;
  },
};

/** 'Plan id' for planId. */
function nameOf(path: readonly PropertyKey[]): string {
  const key = path.findLast((part) => typeof part === 'string') ?? 'this';
  const words = String(key)
    .slice(0, 40)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** More errors at once help no one, and an unknown field's path can be as long as the body. */
const MAX_ERRORS = 10;
const MAX_PATH = 100;

/** 400 with the schema's messages for each field; the first is also the overall message. */
export function refuseInvalid(error: z.core.$ZodError): Response {
  const errors = error.issues.slice(0, MAX_ERRORS).map(({ path, message }) => ({
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

/** An id from a path, as a number that both databases can store; undefined for anything else. */
export function readId(text: string | undefined): number | undefined {
  return text && ID.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}
