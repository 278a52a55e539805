/** The HTTP server of the fake API and of the stand-in script's calls. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Api } from './api.ts';
import { type Browser, browserPrefix } from './browser.ts';
import type { Fault, Faults } from './faults.ts';
import { type ParamTree, parseForm } from './schema.ts';

export interface RecordedRequest {
  method: string;
  path: string;
  params: ParamTree;
  idempotencyKey: string | null;
  /** Query and body as received, to search for what must never be sent. */
  raw: string;
  /** 0 when the connection was closed without an answer. */
  status: number;
}

interface HttpParts {
  api: Api;
  browser: Browser;
  faults: Faults;
  requests: RecordedRequest[];
  /** Runs before each request is answered. */
  before: { act: ((path: string, method: string) => void | Promise<void>) | null };
}

type Headers = Record<string, string | string[] | undefined>;

const send = (
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
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

const holdFor =
  (fault: Fault | undefined, response: ServerResponse) => async (): Promise<boolean> => {
    if (fault?.how === 'slow') return wait(response, fault.ms ?? 1000);
    if (fault?.how !== 'timeout') return true;
    await wait(response, 2 ** 31 - 1);
    return false;
  };

const serveApi = async (
  parts: HttpParts,
  { method, path, raw }: { method: string; path: string; raw: string },
  headers: Headers,
  response: ServerResponse,
): Promise<void> => {
  await parts.before.act?.(path, method);
  const fault = parts.faults.take(method, path);
  const params = parseForm(raw);
  const idempotencyKey = headers['idempotency-key']?.toString() ?? null;
  const record: RecordedRequest = { method, path, params, idempotencyKey, raw, status: 0 };
  parts.requests.push(record);
  if (fault?.how === 'status-502') {
    send(response, 502, '<h1>Bad Gateway</h1>', { 'content-type': 'text/html' });
    return;
  }
  const answer =
    fault?.how === 'reset'
      ? null
      : await parts.api.handle(
          { method, path, params, headers },
          fault?.how,
          holdFor(fault, response),
        );
  if (answer === null || fault?.how === 'reset-after-execution') {
    response.destroy();
    return;
  }
  record.status = answer.status;
  send(response, answer.status, answer.body, answer.headers);
};

export const listen = async (
  parts: HttpParts,
): Promise<{ url: string; close(): Promise<void> }> => {
  const server = createServer(async (request, response) => {
    const { pathname: path, search } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    try {
      const body = await text(request);
      if (path.startsWith(browserPrefix)) {
        const answer = parts.browser.answer(path, body);
        send(response, answer === undefined ? 404 : 200, JSON.stringify(answer ?? {}));
      } else {
        const raw = [search.slice(1), body].filter((part) => part !== '').join('&');
        await serveApi(parts, { method, path, raw }, request.headers, response);
      }
    } catch (error) {
      // A bug of the stand-in, with a status that cannot pass for one of Stripe's.
      const message = `Stand-in fault: ${String(error)}`;
      if (!response.headersSent)
        send(response, 599, JSON.stringify({ error: { type: 'api_error', message } }));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
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
