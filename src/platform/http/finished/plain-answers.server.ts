/**
 * Answers plain requests for what is finished with one write to their connection, without Node's parser and its objects
 * for request and response. Only a request that Node would read in the same way comes this way (decision 097).
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { waitUntil } from '../../wait-until.server.ts';
import { visitorAddress } from '../visitor-address.server.ts';
import type { Part } from './finished-answer.server.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.server.ts';
import { type FindFinished, pathOf } from './send-finished.server.ts';

/** A request that has been answered here. */
export interface PlainAnswered extends PlainRequest {
  /** The visitor's. */
  address: string;
  status: number;
  /** Of the body. */
  bytes: number;
  /** By performance.now(). */
  beganAt: number;
}

export interface PlainSite {
  find: FindFinished;
  record(answered: PlainAnswered): void;
}

export class PlainAnswers {
  readonly #messages: WeakMap<Part, Message> = new WeakMap();
  readonly #idleSeconds: number;
  readonly #trustProxy: number;
  /** Writes that have not left yet. */
  #unsent = 0;
  readonly #sent = () => {
    this.#unsent -= 1;
  };
  /** Undefined while no request is to be answered here. */
  site: PlainSite | undefined;

  /** `idleSeconds`: how long a connection is kept that asks for nothing. `trustProxy`: as TRUST_PROXY. */
  constructor(idleSeconds: number, trustProxy: number) {
    this.#idleSeconds = idleSeconds;
    this.#trustProxy = trustProxy;
  }

  /** True: these bytes were one request, and its answer has been written. */
  readonly answer = (bytes: Buffer, socket: Socket): boolean => {
    const { site } = this;
    if (!site || socket.writableLength > 0 || !socket.writable) return false;
    const beganAt = performance.now();
    const request = readPlainRequest(bytes);
    if (!request) return false;
    const { headers, method } = request;
    const address = () =>
      visitorAddress(socket.remoteAddress ?? '', headers.forwardedFor, this.#trustProxy);
    const found = site.find(pathOf(request.url), address);
    if (!found) return false;
    const part = found.part(headers.acceptEncoding, headers.ifNoneMatch);
    const message = this.#messageOf(part);
    this.#unsent += 1;
    socket.write(message.bytes(method === 'GET'), this.#sent);
    site.record({
      ...request,
      address: address(),
      status: part.status,
      bytes: method === 'GET' ? (part.body?.length ?? 0) : 0,
      beganAt,
    });
    return true;
  };

  /** Answers nothing any more, and waits until what was answered has left, for `patienceMs` at most. */
  stop(patienceMs: number): Promise<void> {
    this.site = undefined;
    return waitUntil(() => this.#unsent === 0, patienceMs);
  }

  #messageOf(part: Part): Message {
    const known = this.#messages.get(part);
    if (known) return known;
    const message = new Message(part, this.#idleSeconds);
    this.#messages.set(part, message);
    return message;
  }
}

const DATE_LENGTH = 'Sun, 06 Nov 1994 08:49:37 GMT'.length;

/** Head and body in one piece of memory, in which only the time of day changes. */
class Message {
  readonly #bytes: Buffer<ArrayBuffer>;
  readonly #head: Buffer<ArrayBuffer>;
  readonly #dateAt: number;
  #second = 0;

  constructor(part: Part, idleSeconds: number) {
    const { status, head, body } = part;
    const before = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: `;
    const after = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${idleSeconds}\r\n${head}\r\n`;
    const whole = Buffer.from(before + ' '.repeat(DATE_LENGTH) + after, 'latin1');
    this.#dateAt = before.length;
    this.#bytes = body ? Buffer.concat([whole, body]) : whole;
    this.#head = this.#bytes.subarray(0, whole.length);
    // So that it is kept once.
    if (body) part.body = this.#bytes.subarray(whole.length);
  }

  /**
   * `whole`: with its body. Writing the date where the bytes stand is safe although others may still be sending them:
   * of those that have left it is too late to change anything, and of the others any time since is right.
   */
  bytes(whole: boolean): Buffer<ArrayBuffer> {
    const now = Date.now();
    const second = now - (now % 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#bytes.write(new Date(second).toUTCString(), this.#dateAt, 'latin1');
    }
    return whole ? this.#bytes : this.#head;
  }
}
