/** Node's HTTP server with bounds on what a slow, idle or greedy client can hold. */
import { createServer } from 'node:http';
import { CannotStart } from '../env/cannot-start.server.ts';
import { type AnswerBytes, takeTurns } from '../turns.server.ts';
import { collectAfterCrowds } from './crowds.server.ts';
import { MeasuredResponse, type SiteServer } from './measured-response.server.ts';

const MOST_CONNECTIONS = 20_000;
/**
 * Connections that come at once wait to be taken, one in each turn of the loop; the system lets some 4,000 wait. With
 * Node's own 511, those beyond asked again after a second or three.
 */
const MOST_WAITING = MOST_CONNECTIONS;
/** A client that takes nothing of its answer for this long is cut off; no header or request deadline sees it. */
const STALLED_MS = 60_000;

/**
 * `idleSeconds`: how long a connection is kept that asks for nothing. `answer` may answer a request before it is parsed.
 */
export async function listen(
  host: string,
  port: number,
  idleSeconds: number,
  answer: AnswerBytes,
): Promise<SiteServer> {
  const server = createServer({
    ServerResponse: MeasuredResponse,
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    keepAliveTimeout: idleSeconds * 1000,
    connectionsCheckingInterval: 1_000,
    maxHeaderSize: 16 * 1024,
    // One without a Host is refused by the site, with its headers and in its log.
    requireHostHeader: false,
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.timeout = STALLED_MS;
  takeTurns(server, answer);
  collectAfterCrowds(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(new CannotStart(`Cannot listen on ${host}:${port}: ${error.message}`)),
    );
    server.listen(port, host, MOST_WAITING, resolve);
  });
  return server;
}

/** The address that the server listens on, as an origin. */
export function listeningOrigin(server: SiteServer, host: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
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
