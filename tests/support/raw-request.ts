/** Sends raw bytes, as no proper HTTP client would, and reads the first answer. */
import { connect, type Socket } from 'node:net';

interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Send `Connection: close`, or the answer ends only with the server's timeout. */
export async function sendRaw(
  origin: string,
  ...parts: (string | Uint8Array)[]
): Promise<RawAnswer> {
  const socket = connectTo(origin);
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  for (const part of parts) socket.write(part);
  await closed(socket);
  return parse(Buffer.concat(received).toString('utf8'));
}

/** A server that answers before it has read all may reset the connection: no error here. */
export function connectTo(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  return connect(Number(port), hostname).on('error', () => undefined);
}

function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

function parse(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4) };
}
