/** Clients that are slow or greedy, and never end. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connectTo } from './raw-request.ts';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
export const post = (length: number) =>
  `POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

interface Kind {
  first: string;
  later?: string;
}

/** What each client sends on connecting, and then twice a second. None reads the answer. */
export const KINDS: Record<string, Kind> = {
  'ask for pages and read none': { first: get('/').repeat(10) },
  'ask for calls and read none': { first: get('/api/plans').repeat(10) },
  'ask for large files and read none': { first: get('/pictures/hero-2-1800.webp').repeat(10) },
  'send heads that never end': { first: 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ', later: 'x' },
  'send bodies that never end': { first: post(65_000) + 'x'.repeat(60_000), later: 'x' },
};

/** Opens this many connections, a hundred at a time, and lets each say something. */
export async function connectMany(
  address: string,
  count: number,
  say: (socket: Socket) => void,
): Promise<Socket[]> {
  const sockets: Socket[] = [];
  const openOne = async () => {
    const socket = connectTo(address);
    sockets.push(socket);
    await once(socket, 'connect');
    say(socket);
  };
  for (let done = 0; done < count; done += 100)
    await Promise.all(Array.from({ length: Math.min(100, count - done) }, openOne));
  return sockets;
}

export function speakAs({ first, later }: Kind, socket: Socket): void {
  socket.pause().write(first);
  if (later === undefined) return;
  const drip = setInterval(() => socket.write(later), 500);
  socket.on('close', () => clearInterval(drip));
}
