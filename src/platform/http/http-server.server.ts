/** Node's HTTP server, with limits for slow, idle or greedy clients and malformed requests. */
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
  MAX_CONNECTIONS_PER_IP,
  MAX_HEADER_BYTES,
  MAX_PIPELINED,
  REQUEST_TIMEOUT_MS,
  STALLED_MS,
} from '../../limits.ts';
import { CannotStart } from '../config/cannot-start.server.ts';
import { JSON_TYPE } from './answer.server.ts';
import { limitKey } from './client-ip.server.ts';
import { awaitsBody, collectBody } from './request-body.server.ts';

/** New connections that may wait. With Node's 511, clients of a burst retry after seconds. */
const BACKLOG = 20_000;

export interface MalformedRequest {
  address: string;
  status: number;
  bytes: number;
}

export interface ServedSite {
  /** Called as soon as a request's head has arrived. */
  record(request: IncomingMessage, response: CountedResponse): void;
  /** Called once its body has arrived: until then, thousands of requests take little memory. */
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

/** Rejects with CannotStart when the port is taken. Early requests wait for the site. */
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
  server.timeout = STALLED_MS;
  const connections = new Connections(server, trustProxy > 0);
  const receive = async (request: IncomingMessage, response: CountedResponse) => {
    if (!connections.begin(request, response)) return;
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
    const { record, answer } = await site;
    record(request, response);
    if (awaitsBody(request)) {
      if (!(await collectBody(request))) return;
      connections.bodyArrived(request.socket);
    }
    answer(request, response);
  };
  // RFC 9110 allows ignoring an unknown expectation: the request is answered like any other.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, receive);
  server.on('clientError', (error, socket) => {
    // The client would take an error written now for part of the answer in progress.
    if (connections.isBusy(socket)) socket.destroy();
    else site.then((created) => refuseMalformed(error, socket, created));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CannotStart(`Cannot listen on ${host}:${port}: ${error.message}`)),
    );
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

/** Limits connections in total and per IP address, and pipelined requests per connection. */
export class Connections {
  /** Unanswered requests by connection. */
  readonly #pending = new Map<Duplex, number>();
  /** Connections whose newest request lacks its body. */
  readonly #arriving = new Set<Duplex>();
  /** Connections without a request that could be answered, the longest idle first. */
  readonly #idle = new Set<Socket>();
  readonly #countByIp = new Map<string, number>();
  readonly #behindProxy: boolean;

  constructor(server: Server, behindProxy: boolean) {
    this.#behindProxy = behindProxy;
    server.on('connection', (socket) => this.#open(socket));
  }

  #open(socket: Socket): void {
    const ip = limitKey(socket.remoteAddress ?? '');
    const count = (this.#countByIp.get(ip) ?? 0) + 1;
    if (count > MAX_CONNECTIONS_PER_IP && !this.#behindProxy) {
      socket.destroy();
      return;
    }
    if (this.#pending.size >= MAX_CONNECTIONS) {
      const [oldest = socket] = this.#idle;
      oldest.destroy();
      this.#idle.delete(oldest);
      if (oldest === socket) return;
    }
    this.#countByIp.set(ip, count);
    this.#pending.set(socket, 0);
    this.#idle.add(socket);
    socket.once('close', () => {
      const remaining = (this.#countByIp.get(ip) ?? 0) - 1;
      if (remaining > 0) this.#countByIp.set(ip, remaining);
      else this.#countByIp.delete(ip);
      this.#pending.delete(socket);
      this.#arriving.delete(socket);
      this.#idle.delete(socket);
    });
  }

  /** Counts a request until it is answered; false, and its connection ends, for one too many. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket, headers } = request;
    const pending = this.#pending.get(socket) ?? 0;
    // '100 Continue' is written at once, and would end up inside the answer to an earlier request.
    const limit = headers.expect === undefined ? MAX_PIPELINED : 1;
    if (socket.destroyed || pending >= limit) {
      socket.destroy();
      return false;
    }
    this.#pending.set(socket, pending + 1);
    if (awaitsBody(request)) this.#arriving.add(socket);
    else this.#idle.delete(socket);
    response.on('close', () => {
      const count = this.#pending.get(socket);
      if (count === undefined) return;
      this.#pending.set(socket, count - 1);
      if (count - 1 === (this.#arriving.has(socket) ? 1 : 0)) this.#idle.add(socket);
    });
    // Node stops reading after a request to upgrade, so the connection cannot be reused.
    if (headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    return true;
  }

  /** From now on the connection is not idle. */
  bodyArrived(socket: Socket): void {
    this.#arriving.delete(socket);
    this.#idle.delete(socket);
  }

  /** Whether a request of this connection has not been fully answered. */
  isBusy(socket: Duplex): boolean {
    return (this.#pending.get(socket) ?? 0) > 0;
  }
}
