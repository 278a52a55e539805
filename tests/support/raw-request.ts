/** Sends raw bytes, for requests that no proper HTTP client would send, and reads the first answer. */
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Send `Connection: close`, or the answer ends only with the server's timeout. */
export async function sendRaw(
  origin: string,
  ...parts: (string | Uint8Array)[]
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const received: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => received.push(chunk));
    // A server that answers before reading everything may reset the connection; its answer still counts.
    socket.on('error', () => resolve());
    socket.on('close', () => resolve());
    for (const part of parts) socket.write(part);
  });
  return parse(Buffer.concat(received).toString('utf8'));
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
