/** Sends bytes as they are, for what no well-behaved client would send, and reads the first answer. */
import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** `Connection: close` should be among what is sent, or the answer ends only with the server's patience. */
export async function sendRaw(
  origin: string,
  ...parts: (string | Uint8Array)[]
): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const received: Buffer[] = [];
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('data', (chunk) => received.push(chunk));
    // A server that answers before it has read everything may reset the connection; the answer counts.
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
