/**
 * The requests of one connection take turns: the next is not begun before the answer to the last has left. Node begins
 * all that arrive in one piece, some 3,500 in 64 KB, and keeps an answer for each until somebody reads it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { SiteServer } from './http/measured-response.server.ts';

const HEAD_END = '\r\n\r\n';
/** Where the shortest head ends: that of 'GET / HTTP/1.1'. */
const SHORTEST_HEAD = 14;
/** A body is not cut at every empty line in it; this is how far the heads behind it may come along. */
const SHORTEST_IN_BODY = 256;
/** How much of a body in chunks is read at once: each chunk costs, and may be a single byte. */
const MOST_IN_CHUNKS = 16 * 1024;
/** A client that sends more than this ahead of the answers is cut off; browsers and proxies send nothing ahead. */
const MOST_WAITING = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** `answer` is asked first, for bytes that may be one request; true: it has answered it. */
export type AnswerBytes = (bytes: Buffer, socket: Socket) => boolean;

export function takeTurns(server: SiteServer, answer: AnswerBytes): void {
  const turns = new WeakMap<Socket, Turns>();
  server.on('connection', (socket) => turns.set(socket, new Turns(socket, answer)));
  const begin = (request: IncomingMessage, response: ServerResponse) =>
    turns.get(request.socket)?.begin(request, response);
  server.on('request', begin).on('checkExpectation', begin);
}

class Turns {
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;
  /** The latest request of those that are under way. */
  #asked: IncomingMessage | undefined;
  #underWay = 0;
  #waiting: Buffer = NOTHING;
  /**
   * Node has read a whole request, and nothing since: what comes now begins the next one. False for a connection that
   * has just been made, which Node closes unless it soon reads a request there.
   */
  #betweenRequests = false;
  readonly #answer: AnswerBytes;
  #scheduled = false;

  constructor(socket: Socket, answer: AnswerBytes) {
    const [parse] = socket.listeners('data');
    if (!parse) throw new Error('Node reads its connections in another way than this expects');
    this.#socket = socket;
    this.#answer = answer;
    this.#parse = (bytes) => parse.call(socket, bytes);
    socket.removeAllListeners('data').on('data', (bytes: Buffer) => this.#take(bytes));
    socket.on('resume', () => this.#goOn());
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    this.#asked = request;
    this.#underWay += 1;
    response.once('close', () => {
      if (this.#asked === request) this.#asked = undefined;
      this.#underWay -= 1;
      this.#goOn();
    });
  }

  #take(bytes: Buffer): void {
    const alone = this.#betweenRequests && this.#underWay === 0 && this.#waiting.length === 0;
    if (alone && this.#answer(bytes, this.#socket)) return;
    this.#waiting = this.#waiting.length === 0 ? bytes : Buffer.concat([this.#waiting, bytes]);
    if (!this.#scheduled) this.#handOn();
    if (this.#answering() && this.#waiting.length > MOST_WAITING) this.#socket.destroy();
  }

  /** Head by head, for what Node is given it begins. */
  #handOn(): void {
    const bytes = this.#waiting;
    let from = 0;
    while (from < bytes.length && !this.#mustWait()) {
      if (this.#inChunks() && from >= MOST_IN_CHUNKS) break;
      const to = this.#nextCut(bytes, from);
      const asked = this.#asked;
      this.#parse(bytes.subarray(from, to));
      from = to;
      // One that is complete with its head has no body: the cut behind it is where it ends.
      this.#betweenRequests =
        this.#asked !== asked && this.#asked?.complete === true && endsHead(bytes, to);
    }
    this.#waiting = from < bytes.length ? bytes.subarray(from) : NOTHING;
    this.#goOn();
  }

  /** Others have their turn first, or a connection that always has more to ask would keep them all waiting. */
  #goOn(): void {
    if (this.#scheduled || this.#waiting.length === 0 || this.#mustWait()) return;
    this.#scheduled = true;
    this.#socket.pause();
    setImmediate(() => {
      this.#scheduled = false;
      this.#socket.resume();
      this.#handOn();
    });
  }

  /** Node itself pauses the socket while nobody takes the body that arrives. */
  #mustWait(): boolean {
    return this.#answering() || this.#socket.isPaused() || this.#socket.destroyed;
  }

  /** There is a request that lacks nothing but its answer. */
  #answering(): boolean {
    return this.#underWay > 1 || this.#asked?.complete === true;
  }

  #inChunks(): boolean {
    return this.#asked?.headers['transfer-encoding'] !== undefined;
  }

  #nextCut(bytes: Buffer, from: number): number {
    const end = bytes.indexOf(HEAD_END, from + (this.#asked ? SHORTEST_IN_BODY : SHORTEST_HEAD));
    const most = this.#inChunks() ? from + MOST_IN_CHUNKS : bytes.length;
    return Math.min(end < 0 ? bytes.length : end + HEAD_END.length, most);
  }
}

function endsHead(bytes: Buffer, to: number): boolean {
  return bytes.toString('latin1', Math.max(0, to - HEAD_END.length), to) === HEAD_END;
}
