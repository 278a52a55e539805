/** Runs a call without the HTTP server, for tests that replace the payment gateway. */
import { Hono } from 'hono';
import type { Call } from '../../src/platform/http/call.server.ts';
import { requestCookies } from '../../src/platform/http/cookies.server.ts';

interface Input {
  id?: number | string;
  body?: object;
  query?: string;
  headers?: Record<string, string>;
  /** Whether the caller is signed in as staff. */
  staff?: boolean;
  countTowardLimit?: () => void;
}

/** A member of staff, as a call knows who is signed in. */
export const STAFF = {
  accountId: 1,
  name: 'admin',
  publicName: null,
  tokenHash: '',
  signInMethod: 'password',
  mustSetUp: false,
} as const;

/** `name` is the call's method and path. The body is validated as in the server. */
export async function callDirectly(
  calls: readonly Call[],
  name: string,
  { id, body, query = '', headers, staff = false, countTowardLimit = () => undefined }: Input = {},
) {
  const call = calls.find(({ method, path }) => `${method} ${path}` === name);
  if (!call) throw new Error(`there is no call ${name}`);
  const app = new Hono().get('/', (context) =>
    call.handle({
      body: call.body?.parse(body) ?? null,
      params: id === undefined ? {} : { id: `${id}` },
      id: Number(id ?? 0),
      query: new URLSearchParams(query),
      headers: context.req.raw.headers,
      cookies: requestCookies(context, false),
      address: '',
      limitKey: '',
      storage: { refusal: async () => undefined, count: async () => undefined },
      staff: staff ? STAFF : null,
      countTowardLimit,
      context,
    }),
  );
  app.onError((error) => {
    throw error;
  });
  const response = await app.request('/', { headers: headers ?? {} });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const json = isJson ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, text, json };
}
