/** Checks and answers API requests, once for each key, and the stand-in script's calls. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { browserPrefix, type openBrowser } from './browser.ts';
import { invalid, StripeFailure } from './errors.ts';
import { apiVersion } from './events.ts';
import { findRoute } from './routes.ts';
import { type Params, parseForm } from './schema.ts';
import type { World } from './world.ts';

export interface RecordedRequest {
  method: string;
  path: string;
  params: Params;
  idempotencyKey: string | undefined;
  /** Query and body as received, to search for what must never be sent. */
  raw: string;
  /** 0 when the connection was closed without an answer. */
  status: number;
}

type FaultKind =
  /** Fails during execution: Stripe keeps the 500 and replays it for the same key. */
  | 'status-500-kept'
  /** The same, but the work itself is done. */
  | 'status-500-done'
  /** Nothing is executed, so a retry succeeds. */
  | 'status-500'
  /** The key was rolled, or is restricted: nothing is executed. */
  | 'status-401'
  | 'status-403'
  /** What the account may not do: nothing is executed. */
  | 'status-400'
  /** Too many requests at once: nothing is executed, and the client does not repeat it. */
  | 'status-429'
  /** A proxy in front of Stripe answers in HTML: nothing is executed. */
  | 'status-502'
  /** Executes, keeps the idempotent result, then closes the connection. */
  | 'reset-after-execution'
  /** Waits `ms` with the key in flight, then executes unless the client has gone. */
  | 'slow'
  /** Executes nothing and never answers. */
  | 'hang'
  /** Executes, and sends the answer a byte a second. */
  | 'trickle';

/** A failure that a test injects into API requests. */
export interface Fault {
  how: FaultKind;
  /** The full path, or a pattern. */
  path?: string | RegExp;
  method?: string;
  ms?: number;
  /** 1 by default. */
  times?: number;
}

const matches = ({ path, method, times = 1 }: Fault, request: RecordedRequest): boolean =>
  times > 0 &&
  (method === undefined || method === request.method) &&
  (path === undefined ||
    (typeof path === 'string' ? path === request.path : path.test(request.path)));

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

interface Parts {
  world: World;
  browser: ReturnType<typeof openBrowser>;
  secretKey: string;
  faults: Fault[];
  requests: RecordedRequest[];
  /** Runs before each API request is answered. */
  before: { act: ((path: string, method: string) => void | Promise<void>) | null };
}

const checkHeaders = ({ headers, method }: IncomingMessage, secretKey: string): void => {
  const isForm = /^application\/x-www-form-urlencoded/.test(headers['content-type'] ?? '');
  if (
    headers.authorization !== `Bearer ${secretKey}` ||
    headers['stripe-version'] !== apiVersion ||
    (method === 'POST' && !isForm)
  )
    throw invalid('Invalid key, version or content type.', { status: 401 });
};

const idempotencyFailure = (status: number, message: string): StripeFailure =>
  new StripeFailure(status, { type: 'idempotency_error', message });

const refusal = (error: unknown): Answer => {
  if (!(error instanceof StripeFailure)) throw error;
  return { status: error.status, body: JSON.stringify({ error: error.body }) };
};

const unknown = { type: 'api_error', message: 'An unknown error occurred' };
const tooMany = {
  type: 'invalid_request_error',
  code: 'rate_limit',
  message: 'Request rate limit exceeded.',
};

/** True after the time, false when the client disconnects first. */
const wait = (response: ServerResponse, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    response.once('close', () => {
      clearTimeout(timer);
      resolve(false);
    });
  });

const openApi = ({ world, secretKey, faults, requests, before }: Parts) => {
  /** By idempotency key, which goes with one request; the answer is null while in flight. */
  const kept = new Map<string, { request: string; answer: Answer | null }>();

  const execute = ({ method, path, params, ...rest }: RecordedRequest, fault?: Fault): Answer => {
    if (fault?.how === 'status-500-kept' || fault?.how === 'status-500-done') {
      if (fault.how === 'status-500-done') execute({ method, path, params, ...rest });
      const headers = { 'stripe-should-retry': 'false' };
      return { status: 500, body: JSON.stringify({ error: unknown }), headers };
    }
    try {
      const { route, id } = findRoute(method, path);
      return { status: 200, body: JSON.stringify(route.execute(world, params, id)) };
    } catch (error) {
      return refusal(error);
    }
  };

  /** Null when the client has gone. */
  const once = async (
    recorded: RecordedRequest,
    response: ServerResponse,
    fault?: Fault,
  ): Promise<Answer | null> => {
    const { method, path, raw, idempotencyKey: key } = recorded;
    const slow = fault?.how === 'slow' ? wait(response, fault.ms ?? 0) : true;
    if (method !== 'POST' || key === undefined)
      return (await slow) ? execute(recorded, fault) : null;
    if (key.length > 255)
      throw idempotencyFailure(400, 'Idempotency keys may be up to 255 characters long.');
    const sorted = new URLSearchParams(raw);
    sorted.sort();
    const request = `${path} ${sorted}`;
    const earlier = kept.get(key);
    if (earlier && earlier.request !== request)
      throw idempotencyFailure(400, `The key ${key} was first used for another request.`);
    if (earlier?.answer) return { ...earlier.answer, headers: { 'idempotent-replayed': 'true' } };
    if (earlier)
      throw idempotencyFailure(409, `Another request with the key ${key} is still going through.`);
    const entry = { request, answer: null as Answer | null };
    kept.set(key, entry);
    if (await slow) entry.answer = execute(recorded, fault);
    else kept.delete(key);
    return entry.answer;
  };

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    { path, raw }: { path: string; raw: string },
  ): Promise<void> => {
    const { method = 'GET', headers } = request;
    await before.act?.(path, method);
    const idempotencyKey = headers['idempotency-key']?.toString();
    const recorded = { method, path, params: parseForm(raw), idempotencyKey, raw, status: 0 };
    requests.push(recorded);
    const fault = faults.find((each) => matches(each, recorded));
    if (fault) fault.times = (fault.times ?? 1) - 1;
    if (fault?.how === 'status-500')
      return send(response, { status: 500, body: JSON.stringify({ error: unknown }) });
    if (fault?.how === 'status-429')
      return send(response, { status: 429, body: JSON.stringify({ error: tooMany }) });
    if (fault?.how === 'hang') return;
    if (fault?.how === 'status-502') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    }
    let answer: Answer | null;
    try {
      checkHeaders(request, secretKey);
      if (fault?.how === 'status-401') throw invalid('Expired API Key provided.', { status: 401 });
      if (fault?.how === 'status-400') throw invalid('Your account cannot currently make charges.');
      if (fault?.how === 'status-403')
        throw invalid('The provided key does not have the required permissions.', { status: 403 });
      answer = await once(recorded, response, fault);
    } catch (error) {
      answer = refusal(error);
    }
    if (answer === null || fault?.how === 'reset-after-execution') {
      response.destroy();
      return;
    }
    recorded.status = answer.status;
    if (fault?.how === 'trickle') trickle(response, answer);
    else send(response, answer);
  };
};

const send = (response: ServerResponse, { status, body, headers = {} }: Answer): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
};

const trickle = (response: ServerResponse, { status, body }: Answer): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  const bytes = [...body];
  const timer = setInterval(() => {
    const byte = bytes.shift();
    if (byte === undefined) response.end();
    else response.write(byte);
  }, 1_000);
  response.once('close', () => clearInterval(timer));
};

export const listen = async (parts: Parts): Promise<{ url: string; close(): Promise<void> }> => {
  const answerApi = openApi(parts);
  const server = createServer(async (request, response) => {
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://localhost');
    try {
      const body = await text(request);
      if (path.startsWith(browserPrefix)) {
        const answer = parts.browser.answer(path, JSON.parse(body));
        send(response, { status: answer ? 200 : 404, body: JSON.stringify(answer ?? {}) });
      } else {
        const raw = [search.slice(1), body].filter((part) => part !== '').join('&');
        await answerApi(request, response, { path, raw });
      }
    } catch (error) {
      // A bug of the stand-in, with a status that cannot pass for one of Stripe's.
      const message = `Stand-in fault: ${String(error)}`;
      if (!response.headersSent) send(response, { status: 599, body: JSON.stringify({ message }) });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
