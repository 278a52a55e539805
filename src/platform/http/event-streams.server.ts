/**
 * Streams of server-sent events. An event only says that something is new: one may stand for several, and none is kept for a
 * reader who is away, because whoever opens a stream fetches what there is.
 */
import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { type SSEMessage, type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { MAX_STREAMS, MAX_STREAMS_PER_ADDRESS } from '../../limits.ts';
import { refuse } from './answer.server.ts';

/** Proxies cut connections that are silent for 30 s or longer. */
const BEAT_EVERY_MS = 15_000;
/** Browsers come back after a restart in this time, at random, rather than all at once. */
const COME_BACK_MS = { least: 2_000, spread: 4_000 };
/** A refused client asks every 10 s, and tries again later. */
const RETRY_AFTER_S = 60;

const beganAt = new WeakMap<ServerResponse, number>();

/** When a stream began to be answered, on the clock of `performance.now()`; undefined for any other answer. */
export function streamBeganAt(response: ServerResponse): number | undefined {
  return beganAt.get(response);
}

export class EventStreams<Listener extends { address: string }> {
  readonly open = new Set<EventStream<Listener>>();
  #closed = false;

  /** Opens a stream, or refuses it. */
  answer(context: Context<{ Bindings: HttpBindings }>, listener: Listener): Response {
    if (context.req.method === 'HEAD') return refuse(405, 'A stream has to be read');
    const { address } = listener;
    const ofAddress = [...this.open].filter((stream) => stream.listener.address === address);
    if (this.#closed || this.open.size >= MAX_STREAMS) return refuseStream(503);
    if (ofAddress.length >= MAX_STREAMS_PER_ADDRESS) return refuseStream(429);
    const { outgoing } = context.env;
    beganAt.set(outgoing, performance.now());
    const response = streamSSE(context, async (api) => {
      const stream = new EventStream(api, outgoing, listener);
      this.open.add(stream);
      await stream.ended;
      this.open.delete(stream);
    });
    response.headers.set('Cache-Control', 'no-store, no-transform');
    response.headers.set('X-Accel-Buffering', 'no');
    // It is Node's business, and not allowed in HTTP/2.
    response.headers.delete('Connection');
    return response;
  }

  /** The streams whose next beat is due. Called each second, they do not all come at once. */
  due(): EventStream<Listener>[] {
    return [...this.open].filter((stream) => stream.beatAt <= performance.now());
  }

  /** Ends all streams and refuses new ones: the server cannot stop before. */
  close(): void {
    this.#closed = true;
    for (const stream of this.open) stream.end();
  }
}

export function refuseStream(status: 429 | 503): Response {
  return refuse(status, 'Too many streams are open', { retryAfter: RETRY_AFTER_S });
}

class EventStream<Listener> {
  readonly listener: Listener;
  readonly ended: Promise<void>;
  beatAt = performance.now() + Math.random() * BEAT_EVERY_MS;
  readonly #end: () => void;
  readonly #api: SSEStreamingApi;
  readonly #outgoing: ServerResponse;
  /** What the client has not taken yet, by content: a slow one reads repeated events once. */
  readonly #waiting = new Map<string, SSEMessage>();
  #isWriting = false;

  constructor(api: SSEStreamingApi, outgoing: ServerResponse, listener: Listener) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#end = resolve;
    this.#api = api;
    this.#outgoing = outgoing;
    this.listener = listener;
    api.onAbort(resolve);
    const retry = COME_BACK_MS.least + Math.round(Math.random() * COME_BACK_MS.spread);
    this.send({ event: 'beat', data: '', retry });
  }

  send(message: SSEMessage): void {
    this.#waiting.set(`${message.event} ${message.data}`, message);
    if (!this.#isWriting) void this.#write();
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    for (const [key, message] of this.#waiting) {
      this.#waiting.delete(key);
      await this.#api.writeSSE(message);
    }
    this.#isWriting = false;
  }

  /** Shows browser and proxies that the stream is alive. A client that has not taken the last events is cut off. */
  beat(): void {
    this.beatAt = performance.now() + BEAT_EVERY_MS;
    if (this.#isWriting) this.end();
    else this.send({ event: 'beat', data: '' });
  }

  end(): void {
    if (this.#isWriting) this.#outgoing.destroy();
    this.#end();
  }
}
