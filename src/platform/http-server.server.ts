/** Node's HTTP server with bounds on what a slow, idle or greedy client can hold. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { CannotStart } from './cannot-start.server.ts';
import { MeasuredResponse } from './measured-response.server.ts';

type SiteServer = Server<typeof IncomingMessage, typeof MeasuredResponse>;

const MOST_CONNECTIONS = 20_000;
/** A client that takes nothing of its answer for this long is cut off; no header or request deadline sees it. */
const STALLED_MS = 60_000;

export async function listen(
  host: string,
  port: number,
  behindProxy: boolean,
): Promise<SiteServer> {
  const server = createServer({
    ServerResponse: MeasuredResponse,
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    // A proxy that reuses connections must be the one who closes them, or it loses requests.
    keepAliveTimeout: behindProxy ? 65_000 : 5_000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = STALLED_MS;
  server.on('clientError', refuseUnread);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CannotStart(`Cannot listen on ${host}:${port}: ${error.message}`)),
    );
    server.listen(port, host, resolve);
  });
  return server;
}

const UNREAD: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The headers are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request took too long to arrive',
  },
};
const NOT_HTTP = { status: '400 Bad Request', message: 'This is not a valid HTTP request' };

/** Answers what Node could not read as a request; the site itself never sees it. */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, message } = UNREAD[error.code ?? ''] ?? NOT_HTTP;
  const body = JSON.stringify({ message });
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

/** The address that the server listens on, as an origin. */
export function listeningOrigin(server: SiteServer, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Stops accepting, lets requests in flight finish for `patienceMs`, then cuts what is left. */
export async function stopListening(server: SiteServer, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const enough = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(enough);
}
