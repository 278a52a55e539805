/** Clients that are slow or greedy on purpose, each from an address of its own on the loopback. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

/** How one request is sent. The answer is never read. */
export interface Hostile {
  method?: 'POST';
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The request ends in the middle of its headers. */
  headless?: boolean;
  /** Sent each second. */
  drip?: string;
  /** How often the same is sent at once. */
  times?: number;
  /** Bytes of a body that is sent as fast as they are taken. */
  flood?: number;
}

const MB = 1024 * 1024;
const JSON_POST = {
  method: 'POST',
  path: '/api/contact',
  headers: { 'Content-Type': 'application/json' },
} as const;

export const HOSTILE: Record<string, Hostile> = {
  'send heads a byte a second': { headless: true, drip: 'x' },
  'send bodies a byte a second': {
    ...JSON_POST,
    headers: { ...JSON_POST.headers, 'Content-Length': '65000' },
    body: 'x'.repeat(60_000),
    drip: 'x',
  },
  'read nothing of a page': {},
  'read nothing of a picture': { path: '/pictures/hero-2-1800.webp' },
  'send a thousand requests at once and read nothing': { times: 1_000 },
  'send bodies of 10 MB': {
    ...JSON_POST,
    headers: { ...JSON_POST.headers, 'Content-Length': `${10 * MB}` },
    flood: 10 * MB,
  },
  'send bodies of 10 MB in pieces': {
    ...JSON_POST,
    headers: { ...JSON_POST.headers, 'Transfer-Encoding': 'chunked' },
    flood: 10 * MB,
  },
};

/** Opens `count` connections, each again after it has ended, until `stop`. */
export async function sendHostile(origin: string, count: number, kind: Hostile) {
  const { hostname, port, protocol, host } = new URL(origin);
  const sockets = new Set<Socket>();
  let over = false;
  let opened = 0;

  async function open(): Promise<void> {
    opened += 1;
    const localAddress = `127.1.${(opened >> 8) & 255}.${opened & 255}`;
    const to = { host: hostname, port: Number(port), localAddress, family: 4 };
    const socket =
      protocol === 'https:'
        ? connectTls({ ...to, servername: hostname, rejectUnauthorized: false })
        : connect(to);
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', async () => {
      sockets.delete(socket);
      await setTimeout(1_000);
      if (!over) await open();
    });
    const connected = once(socket, protocol === 'https:' ? 'secureConnect' : 'connect');
    await Promise.race([connected, once(socket, 'close')]).catch(() => undefined);
    socket.pause().write(requestOf(kind, host).repeat(kind.times ?? 1));
    if (kind.drip !== undefined) {
      const drip = setInterval(() => socket.write(kind.drip ?? ''), 1_000);
      socket.once('close', () => clearInterval(drip));
    }
    // What is answered is read here, or it could not be told that the connection has ended.
    if (kind.flood !== undefined) Readable.from(piecesOf(kind)).pipe(socket.resume());
  }

  for (let done = 0; done < count; done += 100)
    await Promise.all(Array.from({ length: Math.min(100, count - done) }, open));
  return {
    stop(): void {
      over = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function requestOf({ method, path = '/', headers, body, headless }: Hostile, host: string): string {
  const lines = Object.entries({ Host: host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = [`${method ?? 'GET'} ${path} HTTP/1.1`, ...lines].join('\r\n');
  return headless ? `${head}\r\nX-Slow: ` : `${head}\r\n\r\n${body ?? ''}`;
}

const PIECE = 'x'.repeat(64 * 1024);

function* piecesOf({ flood = 0, headers }: Hostile): Generator<string> {
  const isChunked = headers?.['Transfer-Encoding'] !== undefined;
  const piece = isChunked ? `${PIECE.length.toString(16)}\r\n${PIECE}\r\n` : PIECE;
  for (let sent = 0; sent < flood; sent += PIECE.length) yield piece;
}
