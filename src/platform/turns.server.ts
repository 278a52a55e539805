/**
 * The requests of one connection take turns: the next is not read before the answer to the last has left. Node begins
 * all that arrive in one piece, some 3,500 in 64 KB, and holds an answer for each until somebody reads it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SiteServer } from './http-server.server.ts';

const HEAD_END = '\r\n\r\n';
/** Where the shortest head ends: that of 'GET / HTTP/1.1'. */
const SHORTEST_HEAD = 14;
/** A body is not cut at every empty line in it; this is how far the heads behind it may come along. */
const SHORTEST_IN_BODY = 256;

export function takeTurns(server: SiteServer): void {
  const turns = new WeakMap<Socket, Turns>();
  server.on('connection', (socket) => turns.set(socket, new Turns(socket)));
  const begin = (request: IncomingMessage, response: ServerResponse) =>
    turns.get(request.socket)?.begin(request, response);
  server.on('request', begin).on('checkExpectation', begin);
}

class Turns {
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  /** The latest that is not answered; answers keep the order of their requests, so it is the last of them. */
  #asked: IncomingMessage | undefined;
  /** Something waits behind it. */
  #held = false;

  constructor(socket: Socket) {
    const [parse] = socket.listeners('data');
    if (!parse) throw new Error('Node reads its connections in another way than this expects');
    this.#socket = socket;
    this.#parse = (bytes) => parse.call(socket, bytes);
    socket.removeAllListeners('data').on('data', (bytes: Buffer) => this.#read(bytes));
    // Whoever reads a body starts the socket again.
    socket.on('resume', () => this.#held && socket.pause());
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#asked = request;
    response.once('close', () => {
      if (this.#asked !== request) return;
      this.#asked = undefined;
      // Other connections come first, or one that always has more to ask would keep them all waiting.
      if (this.#held) setImmediate(() => this.#goOn());
    });
  }

  #goOn(): void {
    this.#held = false;
    this.#socket.resume();
  }

  /** Hands the bytes on head by head, for what has been handed on is begun. */
  #read(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length && !this.#socket.destroyed) {
      this.#held = this.#asked?.complete ?? false;
      if (this.#held || this.#socket.isPaused()) {
        this.#socket.pause().unshift(bytes.subarray(from));
        return;
      }
      const end = bytes.indexOf(HEAD_END, from + (this.#asked ? SHORTEST_IN_BODY : SHORTEST_HEAD));
      const to = end < 0 ? bytes.length : end + HEAD_END.length;
      this.#parse(bytes.subarray(from, to));
      from = to;
    }
  }
}
