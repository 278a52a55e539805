/** Streams of events that say only that something is new: none is kept for a reader who is away. */
import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { MAX_STAFF_STREAMS, MAX_STREAMS, MAX_STREAMS_PER_ADDRESS } from '../../limits.ts';
import { refuse } from './answer.server.ts';
import { limitKey } from './client-ip.server.ts';

/** A browser takes a stream that is silent for 25 s for dead. */
const BEAT_EVERY_MS = 10_000;
/** Browsers come back after a restart in this time, at random, rather than all at once. */
const COME_BACK_MS = { least: 2_000, spread: 4_000 };
/** A refused client asks every 10 s, and tries again later. */
const RETRY_AFTER_S = 60;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

const beganAt = new WeakMap<ServerResponse, number>();

/** When a stream began, on the clock of `performance.now()`; undefined for other answers. */
export function streamBeganAt(response: ServerResponse): number | undefined {
  return beganAt.get(response);
}

interface Opener {
  address: string;
  /** They have places of their own. */
  isStaff: boolean;
}

export class EventStreams<Listener extends Opener> {
  readonly open = new Set<EventStream<Listener>>();
  #closed = false;

  /** Opens a stream, or refuses it. `onClose`: its reader has gone. */
  answer(
    context: Context<{ Bindings: HttpBindings }>,
    listener: Listener,
    onClose: () => void,
  ): Response {
    if (context.req.method === 'HEAD')
      return refuse(405, 'A stream has to be read', { headers: { Allow: 'GET' } });
    this.#sweep();
    const { address, isStaff } = listener;
    const pool = [...this.open].filter((open) => open.listener.isStaff === isStaff);
    const key = limitKey(address);
    if (pool.filter((open) => open.key === key).length >= MAX_STREAMS_PER_ADDRESS)
      return refuseStream(429);
    const most = isStaff ? MAX_STAFF_STREAMS : MAX_STREAMS;
    if (this.#closed || pool.length >= most) return refuseStream(503);
    const { outgoing } = context.env;
    beganAt.set(outgoing, performance.now());
    outgoing.writeHead(200, HEADERS);
    const stream = new EventStream(outgoing, listener);
    this.open.add(stream);
    outgoing.once('close', () => {
      this.open.delete(stream);
      if (!this.#closed) onClose();
    });
    const retry = COME_BACK_MS.least + Math.round(Math.random() * COME_BACK_MS.spread);
    stream.send({ ...BEAT, retry });
    return RESPONSE_ALREADY_SENT;
  }

  count(matches: (listener: Listener) => boolean): number {
    this.#sweep();
    let count = 0;
    for (const { listener } of this.open) if (matches(listener)) count += 1;
    return count;
  }

  /** The streams whose next beat is due. Called each second, they do not all come at once. */
  due(): EventStream<Listener>[] {
    this.#sweep();
    const now = performance.now();
    return [...this.open].filter(({ beatAt }) => beatAt <= now);
  }

  #sweep(): void {
    for (const stream of this.open) if (stream.isOver) this.open.delete(stream);
  }

  /** Ends all streams and refuses new ones: the server cannot stop before. */
  close(): void {
    this.#closed = true;
    for (const stream of this.open) stream.end();
  }
}

function refuseStream(status: 429 | 503): Response {
  return refuse(status, 'Too many streams are open', { retryAfter: RETRY_AFTER_S });
}

interface Message {
  event: string;
  data: string;
  retry?: number;
}

const BEAT: Message = { event: 'beat', data: '' };

/** Node writes it: the web streams of Hono's streamSSE would take twice the memory. */
class EventStream<Listener extends Opener> {
  readonly listener: Listener;
  readonly key: string;
  beatAt = performance.now() + Math.random() * BEAT_EVERY_MS;
  readonly #outgoing: ServerResponse;

  constructor(outgoing: ServerResponse, listener: Listener) {
    this.#outgoing = outgoing;
    this.listener = listener;
    this.key = limitKey(listener.address);
  }

  /** Also for a response that still waits for others on its connection when that closes. */
  get isOver(): boolean {
    const { writableEnded, destroyed, req } = this.#outgoing;
    return writableEnded || destroyed || req.socket.destroyed || req.socket.readableEnded;
  }

  send(message: Message): void {
    if (this.isOver) return;
    const fields = Object.entries(message).map(([name, value]) => `${name}: ${value}\n`);
    this.#outgoing.write(`${fields.join('')}\n`);
  }

  /** Shows that the stream is alive. A client that has not taken the last events is cut off. */
  beat(): void {
    this.beatAt = performance.now() + BEAT_EVERY_MS;
    if (this.#outgoing.writableNeedDrain) this.#outgoing.destroy();
    else this.send(BEAT);
  }

  end(): void {
    if (this.#outgoing.writableNeedDrain) this.#outgoing.destroy();
    else this.#outgoing.end();
  }
}
