/** Node's HTTP server: bounds on what a slow, idle or greedy client can hold, and answers to what is no request. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { CannotStart } from '../config/cannot-start.server.ts';
import { JSON_TYPE } from './answer.server.ts';
import { limitKey } from './client-ip.server.ts';

/**
 * Connections that come at once wait to be accepted, and the system lets some 4,000 wait. With Node's own 511, those
 * beyond would ask again after a second or three.
 */
const BACKLOG = 20_000;
/** A client that takes nothing of its answer for this long is cut off; no header or request deadline sees it. */
const STALLED_MS = 60_000;

export interface MalformedRequest {
  /** The socket's address. */
  address: string;
  status: number;
  /** Of the answer, its head included. */
  bytes: number;
}

/** What answers, once it is there; requests that come before wait for it. */
export interface Answerer {
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Of every answer that is no page. */
  headers: Readonly<Record<string, string>>;
  recordMalformed(request: MalformedRequest): void;
}

interface Options {
  host: string;
  port: number;
  /** How many proxies in front are believed. */
  trustProxy: number;
}

/** Rejects with CannotStart when the address cannot be had. */
export async function listen(
  { host, port, trustProxy }: Options,
  answerer: Promise<Answerer>,
): Promise<Server> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    // A proxy that reuses connections must be the one who closes them, or it loses requests.
    keepAliveTimeout: trustProxy > 0 ? 65_000 : 5_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // One without a Host is refused by the site, with its headers and in its log.
    requireHostHeader: false,
  });
  server.timeout = STALLED_MS;
  const connections = new Connections(server, trustProxy > 0);
  const receive = (request: IncomingMessage, response: ServerResponse) => {
    if (!connections.begin(request, response)) return;
    if (/^100-continue$/i.test(request.headers.expect ?? '')) response.writeContinue();
    answerer.then(({ answer }) => answer(request, response));
  };
  // An expectation that is not known is left unmet, as RFC 9110 allows: the request is answered as any other.
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, receive);
  server.on('clientError', (error, socket) => {
    // The client would take bytes that are written now for a part of the answer under way.
    if (connections.isBusy(socket)) socket.destroy();
    else answerer.then((deps) => refuseBytes(error, socket, deps));
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

/** Answers what Node cannot make a request of. */
function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { headers, recordMalformed }: Answerer,
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
  // Browsers open connections ahead, on which no request may ever come.
  if (socket instanceof Socket && socket.bytesRead > 0)
    recordMalformed({ address: socket.remoteAddress ?? '', status, bytes: answer.length });
}

/** The address that the server listens on, as an origin. */
export function listeningOrigin(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}

/** Stops accepting, lets requests in flight finish for `patienceMs`, then cuts what is left. */
export async function stopListening(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const enough = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(enough);
}

/** Requests of one connection that wait for their answers. Browsers and proxies send the next one after the answer. */
const MAX_PIPELINED = 10;
const MAX_CONNECTIONS = 20_000;
/** Of one address, while the connections are the visitors' own and not those of a proxy. */
const MAX_OF_ADDRESS = 1_000;

export class Connections {
  /** How many requests of each connection are under way. */
  readonly #underWay = new Map<Duplex, number>();
  /** Connections without a request under way, the one that has been so for longest first. */
  readonly #idle = new Set<Socket>();
  readonly #ofAddress = new Map<string, number>();
  readonly #behindProxy: boolean;

  constructor(server: Server, behindProxy: boolean) {
    this.#behindProxy = behindProxy;
    server.on('connection', (socket) => this.#open(socket));
  }

  #open(socket: Socket): void {
    const address = limitKey(socket.remoteAddress ?? '');
    const count = (this.#ofAddress.get(address) ?? 0) + 1;
    if (count > MAX_OF_ADDRESS && !this.#behindProxy) {
      socket.destroy();
      return;
    }
    if (this.#underWay.size >= MAX_CONNECTIONS) {
      const [oldest = socket] = this.#idle;
      oldest.destroy();
      this.#idle.delete(oldest);
      if (oldest === socket) return;
    }
    this.#ofAddress.set(address, count);
    this.#underWay.set(socket, 0);
    this.#idle.add(socket);
    socket.once('close', () => {
      const left = (this.#ofAddress.get(address) ?? 0) - 1;
      if (left > 0) this.#ofAddress.set(address, left);
      else this.#ofAddress.delete(address);
      this.#underWay.delete(socket);
      this.#idle.delete(socket);
    });
  }

  /** Counts a request until its answer has left. False: its connection asks for too much and has been ended. */
  begin({ socket, headers }: IncomingMessage, response: ServerResponse): boolean {
    const underWay = this.#underWay.get(socket) ?? 0;
    // '100 Continue' would be written into the answer before it.
    const most = headers.expect === undefined ? MAX_PIPELINED : 1;
    if (socket.destroyed || underWay >= most) {
      socket.destroy();
      return false;
    }
    this.#idle.delete(socket);
    this.#underWay.set(socket, underWay + 1);
    response.once('close', () => {
      const count = this.#underWay.get(socket);
      if (count === undefined) return;
      this.#underWay.set(socket, count - 1);
      if (count === 1) this.#idle.add(socket);
    });
    // Node does not read what follows a request for another protocol, so nothing may follow it.
    if (headers.upgrade !== undefined) response.setHeader('Connection', 'close');
    return true;
  }

  /** Whether a request of this connection waits for its answer, or for the end of it. */
  isBusy(socket: Duplex): boolean {
    return (this.#underWay.get(socket) ?? 0) > 0;
  }
}
