/** A call answered without the way through the server, for whoever stands in for the payment provider. */
import type { Call } from '../../src/platform/http/call.server.ts';

interface Asked {
  id?: number | string;
  body?: object;
  query?: string;
  headers?: Record<string, string>;
  /** Whether a colleague asks. */
  staff?: boolean;
  countTowardLimit?: () => void;
}

const STAFF = { userId: 1, username: 'admin', tokenHash: '' };

/** `name` is method and path as they stand in the code. The body is checked as the server does it. */
export async function askCall(
  calls: readonly Call[],
  name: string,
  { id, body, query = '', headers, staff = false, countTowardLimit = () => undefined }: Asked = {},
) {
  const call = calls.find(({ method, path }) => `${method} ${path}` === name);
  if (!call) throw new Error(`there is no call ${name}`);
  const answered = await call.handle({
    body: call.body?.parse(body) ?? null,
    params: id === undefined ? {} : { id: `${id}` },
    query: new URLSearchParams(query),
    headers: new Headers(headers),
    address: '',
    limitKey: '',
    staff: staff ? STAFF : null,
    countTowardLimit,
  });
  const text = await answered.text();
  const isJson = answered.headers.get('content-type')?.startsWith('application/json');
  const json = isJson ? JSON.parse(text) : null;
  return { status: answered.status, headers: answered.headers, text, json };
}
