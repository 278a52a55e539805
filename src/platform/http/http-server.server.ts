/** Node's HTTP server with Node's own limits: a proxy in front holds slow and greedy clients. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  HEADERS_TIMEOUT_MS,
  MAX_CONNECTIONS,
  MAX_HEADER_BYTES,
  MAX_REQUESTS_PER_CONNECTION,
  REQUEST_TIMEOUT_MS,
  SILENCE_TIMEOUT_MS,
} from '../../limits.ts';
import { CannotStart, CannotStartYet } from '../config/cannot-start.server.ts';
import { JSON_TYPE } from './answer.server.ts';

/** New connections that may wait. With Node's 511, clients of a burst retry after seconds. */
const BACKLOG = 20_000;

export interface MalformedRequest {
  address: string;
  status: number;
  bytes: number;
}

export interface ServedSite {
  record(request: IncomingMessage, response: CountedResponse): void;
  answer(request: IncomingMessage, response: CountedResponse): void;
  /** Headers for answers that are not pages. */
  headers: Readonly<Record<string, string>>;
  recordMalformed(request: MalformedRequest): void;
}

/** Counts the bytes of its body, without the head and the marks between chunks. */
export class CountedResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  bodyBytes = 0;
  /** The pattern of the path that answers. */
  route = 'none';

  override write(chunk: unknown, ...rest: unknown[]): boolean {
    this.#count(chunk);
    return Reflect.apply(super.write, this, [chunk, ...rest]);
  }

  override end(chunk?: unknown, ...rest: unknown[]): this {
    this.#count(chunk);
    return Reflect.apply(super.end, this, [chunk, ...rest]);
  }

  #count(chunk: unknown): void {
    if (this.req.method === 'HEAD') return;
    if (typeof chunk === 'string' || chunk instanceof Uint8Array)
      this.bodyBytes += Buffer.byteLength(chunk);
  }
}

interface Options {
  host: string;
  port: number;
  /** The number of trusted proxies in front. */
  trustProxy: number;
}

/** Rejects with CannotStart when it cannot. Early requests wait for the site. */
export async function listen(
  { host, port, trustProxy }: Options,
  site: Promise<ServedSite>,
): Promise<Server> {
  const server = createServer({
    ServerResponse: CountedResponse,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A proxy that reuses connections must close them before the server does, or it loses requests.
    keepAliveTimeout: trustProxy > 0 ? 65_000 : 5_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: MAX_HEADER_BYTES,
    // The site itself refuses requests without Host, with its headers and its log.
    requireHostHeader: false,
    // A second Host makes the first invalid: a proxy and Node may each use a different one.
    joinDuplicateHeaders: true,
  });
  server.timeout = SILENCE_TIMEOUT_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_CONNECTION;
  /** The newest answer of each connection, which is its last. */
  const newest = new WeakMap<Duplex, ServerResponse>();
  const receive = async (request: IncomingMessage, response: CountedResponse) => {
    newest.set(request.socket, response);
    // Node may drop what is pipelined behind it: the next answer would be taken for another's.
    if (request.headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    const { record, answer } = await site;
    record(request, response);
    answer(request, response);
  };
  server.on('request', receive);
  // RFC 9110 allows ignoring an unknown expectation: the request is answered like any other.
  server.on('checkExpectation', receive);
  server.on('clientError', (error, socket) => {
    // The client would take an error written now for part of the answer in progress.
    if (newest.get(socket)?.writableFinished === false) socket.destroy();
    else site.then((created) => refuseMalformed(error, socket, created));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      // A port below 1024 without the right to it.
      const Reason = error.code === 'EACCES' ? CannotStart : CannotStartYet;
      const cure = 'name another HOST or PORT (1024 or more)';
      reject(new Reason(`Cannot listen on ${host}:${port}: ${error.message}; ${cure}`));
    });
    server.listen(port, host, BACKLOG, resolve);
  });
  return server;
}

const REASONS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
};
const NOT_HTTP = { status: 400, message: 'This is not a valid HTTP request' };

/** Answers bytes that Node could not parse as a request. */
function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { headers, recordMalformed }: ServedSite,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = REASONS[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ message });
  const answered = {
    ...headers,
    ...JSON_TYPE,
    'Content-Length': String(body.length),
    Connection: 'close',
  };
  const answer = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(answered).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
  socket.end(answer);
  // Browsers open spare connections and may never use them; those are not logged.
  if (socket instanceof Socket && socket.bytesRead > 0)
    recordMalformed({ address: socket.remoteAddress ?? '', status, bytes: body.length });
}

export function listeningOrigin(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** Accepts no more, lets requests in flight finish for `timeoutMs`, closes what is left. */
export async function stopListening(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
