/** Answers what Node refuses by itself, before the site sees a request: with the site's headers, and in its log. */
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { JSON_TYPE } from './answer.server.ts';
import type { MeasuredResponse, SiteServer } from './measured-response.server.ts';

export interface MalformedRequest {
  /** The socket's address. */
  address: string;
  status: number;
  /** Of the answer's body. */
  bytes: number;
}

interface Deps {
  /** Of every answer that is no page. */
  headers: Readonly<Record<string, string>>;
  record(request: IncomingMessage, response: MeasuredResponse): void;
  recordMalformed(request: MalformedRequest): void;
}

const REASONS: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive' },
};
const NOT_HTTP = { status: 400, message: 'This is not a valid HTTP request' };

export function answerMalformed(server: SiteServer, deps: Deps): void {
  server.on('clientError', (error, socket) => refuseBytes(error, socket, deps));
  server.on('checkExpectation', (request, response) => {
    deps.record(request, response);
    const body = JSON.stringify({ message: 'This expectation cannot be met' });
    const length = { 'Content-Length': body.length };
    response.writeHead(417, { ...deps.headers, ...JSON_TYPE, ...length }).end(body);
  });
}

function refuseBytes(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { headers, recordMalformed }: Deps,
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
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...Object.entries(answered).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
  // Browsers open connections ahead, on which nothing may ever be asked.
  if (socket instanceof Socket && socket.bytesRead > 0)
    recordMalformed({ address: socket.remoteAddress ?? '', status, bytes: body.length });
}
