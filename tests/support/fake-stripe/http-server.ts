import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api, ApiRequest } from './api.ts';
import type { Browser } from './browser.ts';
import {
  answerBrowser,
  type BrowserRequest,
  browserPrefix,
  corsHeaders,
  masked,
  readPayload,
} from './browser-endpoints.ts';
import type { Fault, Faults } from './faults.ts';
import { type ParamTree, parseForm } from './form.ts';
import { newId } from './world.ts';

export interface RecordedRequest {
  id: string;
  method: string;
  path: string;
  params: ParamTree;
  idempotencyKey: string | null;
  /** Query and body as they came, for oracles that look for what must never be sent. */
  raw: string;
  /** 0 when the connection was cut instead of answered. */
  status: number;
  replayed: boolean;
}

interface HttpParts {
  api: Api;
  browser: Browser;
  faults: Faults;
  publishableKey: string;
  requests: RecordedRequest[];
  browserRequests: BrowserRequest[];
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
};

const send = (
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  });
  response.end(body);
};

/** True after the time, false when the caller went away first. */
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
    await wait(response, fault.ms ?? 2 ** 31 - 1);
    return false;
  };

const flatHeaders = (request: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );

const serveApi = async (
  parts: HttpParts,
  call: ApiRequest,
  response: ServerResponse,
): Promise<void> => {
  const fault = parts.faults.take(call.method, call.path);
  const record: RecordedRequest = {
    id: call.id,
    method: call.method,
    path: call.path,
    params: parseForm([call.query, call.body].filter((part) => part !== '').join('&')),
    idempotencyKey: call.headers['idempotency-key'] ?? null,
    raw: `${call.query}&${call.body}`,
    status: 0,
    replayed: false,
  };
  parts.requests.push(record);
  if (fault?.how === 'reset') {
    response.destroy();
    return;
  }
  if (fault?.how === 'status-502') {
    send(response, 502, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>');
    return;
  }
  const answer = await parts.api.handle(call, fault?.how, holdFor(fault, response));
  if (answer === null || fault?.how === 'reset-after-execution') {
    response.destroy();
    return;
  }
  record.status = answer.status;
  record.replayed = answer.headers['idempotent-replayed'] === 'true';
  send(response, answer.status, answer.headers, answer.body);
};

const serveBrowser = (
  parts: HttpParts,
  method: string,
  path: string,
  body: string,
  response: ServerResponse,
): void => {
  if (method === 'OPTIONS') {
    response.writeHead(204, corsHeaders).end();
    return;
  }
  const payload = readPayload(body);
  parts.browserRequests.push({ path, payload: masked(payload) });
  const answer =
    method === 'POST'
      ? answerBrowser(parts.browser, parts.publishableKey, path, payload)
      : undefined;
  send(
    response,
    answer === undefined ? 404 : 200,
    corsHeaders,
    JSON.stringify(answer ?? { error: { message: 'Not found' } }),
  );
};

export const listen = async (
  parts: HttpParts,
): Promise<{ url: string; close(): Promise<void> }> => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    const body = await readBody(request);
    if (pathname.startsWith(browserPrefix)) {
      serveBrowser(parts, method, pathname, body, response);
      return;
    }
    const call = {
      id: newId('req').slice(0, 18),
      method,
      path: pathname,
      query: search.slice(1),
      body,
      headers: flatHeaders(request),
    };
    await serveApi(parts, call, response);
  };
  const server: Server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A fault of the stand-in itself, which must not pass for one of Stripe's.
      if (!response.headersSent)
        send(
          response,
          599,
          {},
          JSON.stringify({
            error: { type: 'api_error', message: `Stand-in fault: ${String(error)}` },
          }),
        );
    });
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
