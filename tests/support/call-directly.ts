/** Runs a call without the HTTP server, to measure it alone. */
import { Hono } from 'hono';
import type { Call } from '../../src/platform/http/call.server.ts';
import { requestCookies } from '../../src/platform/http/cookies.server.ts';

/** A member of staff, as a call knows who is signed in. */
export const STAFF = {
  accountId: 1,
  name: 'admin',
  publicName: null,
  tokenHash: '',
  signInMethod: 'password',
  mustSetUp: false,
} as const;

/** `name` is the method and path of a call of staff that has no body. */
export async function callDirectly(
  calls: readonly Call[],
  name: string,
  { id = 0, query = '' }: { id?: number; query?: string },
): Promise<void> {
  const call = calls.find(({ method, path }) => `${method} ${path}` === name);
  if (!call) throw new Error(`there is no call ${name}`);
  const app = new Hono().get('/', (context) =>
    call.handle({
      body: null,
      params: { id: `${id}` },
      id,
      query: new URLSearchParams(query),
      headers: context.req.raw.headers,
      cookies: requestCookies(context, false),
      address: '',
      limitKey: '',
      storage: { refusal: async () => undefined, count: async () => undefined },
      staff: STAFF,
      countTowardLimit: () => undefined,
      context,
    }),
  );
  const response = await app.request('/');
  const text = await response.text();
  if (!response.ok) throw new Error(`${name}: ${response.status} ${text}`);
}
