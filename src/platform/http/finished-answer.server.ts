/** Answers that are ready before they are requested: made once for each version of the content, in every encoding. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

type Bytes = Buffer<ArrayBuffer>;

interface Content {
  status?: number;
  headers: Readonly<Record<string, string>>;
  /** Without one a client never gets 304. */
  etag?: string;
  /** As it is, and in the encodings in which it is worth sending. */
  bodies: { identity: Bytes; br?: Bytes; gzip?: Bytes };
}

/** The smallest first. */
const ENCODINGS = ['br', 'gzip'] as const;

export class FinishedAnswer {
  readonly #content: Content;

  constructor(content: Content) {
    this.#content = content;
  }

  /** Writes it to a client that sent GET or HEAD. */
  send({ method, headers: received }: IncomingMessage, response: ServerResponse): void {
    const accepted = received['accept-encoding']?.toString();
    const { status, headers, body } = this.#for(accepted, received['if-none-match']);
    response.writeHead(status, headers).end(method === 'HEAD' ? null : body);
  }

  /** The same for an answer that passes through Hono. */
  response(received: Headers): Response {
    const accepted = received.get('accept-encoding') ?? undefined;
    const { body, ...init } = this.#for(accepted, received.get('if-none-match') ?? undefined);
    return new Response(body, init);
  }

  /** `body` null: the client has it already. */
  #for(acceptEncoding = '', ifNoneMatch = '') {
    const { status = 200, headers, etag, bodies } = this.#content;
    if (status === 200 && etag && matches(ifNoneMatch, etag))
      return { status: 304, headers, body: null };
    const encoding = ENCODINGS.find((each) => bodies[each] && admits(acceptEncoding, each));
    const body = bodies[encoding ?? 'identity'] ?? bodies.identity;
    const encoded = encoding && { 'Content-Encoding': encoding };
    const length = String(body.length);
    return { status, headers: { ...headers, ...encoded, 'Content-Length': length }, body };
  }
}

/** A text answer in all encodings, with an ETag. */
export function finishedText(
  text: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): FinishedAnswer {
  const identity = Buffer.from(text);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return new FinishedAnswer({
    status,
    headers: { ...headers, ETag: etag, Vary: 'Accept-Encoding' },
    etag,
    bodies: { br: brotli(identity), gzip: gzipSync(identity, { level: 9 }), identity },
  });
}

/** One step below the best two, which take ten times as long for a few bytes. */
function brotli(bytes: Bytes): Bytes {
  return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

function admits(accept: string, encoding: string): boolean {
  return accept.split(',').some((each) => {
    const [name, ...parameters] = each.split(';').map((part) => part.trim());
    return name === encoding && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch
    .split(',')
    .some((each) => each.trim().replace(/^W\//, '') === etag || each.trim() === '*');
}

/** Finished answers by key: one of few that the site knows, never a visitor's words. */
export class FinishedAnswers {
  readonly #version: () => string;
  #madeFor = '';
  readonly #making = new Map<string, Promise<FinishedAnswer>>();
  readonly #finished = new Map<string, FinishedAnswer>();

  /** `version` changes whenever what the answers show does. */
  constructor(version: () => string) {
    this.#version = version;
  }

  /** The answer if it has been made. */
  find(key: string): FinishedAnswer | undefined {
    this.#forgetOldVersion();
    return this.#finished.get(key);
  }

  /** The answer, made now if it has not been. */
  async get(key: string, make: () => Promise<FinishedAnswer>): Promise<FinishedAnswer> {
    this.#forgetOldVersion();
    const version = this.#madeFor;
    const making = this.#making.get(key) ?? make();
    this.#making.set(key, making);
    try {
      const answer = await making;
      if (version === this.#madeFor) this.#finished.set(key, answer);
      return answer;
    } catch (error) {
      this.#making.delete(key);
      throw error;
    }
  }

  #forgetOldVersion(): void {
    const version = this.#version();
    if (version === this.#madeFor) return;
    this.#madeFor = version;
    this.#making.clear();
    this.#finished.clear();
  }
}
