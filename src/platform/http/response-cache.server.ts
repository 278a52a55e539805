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

/** What is sent to readers of one encoding, made once for all requests; `body` null: the client has it already. */
interface Variant {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Bytes | null;
}

export class CachedResponse {
  readonly #etag: string | undefined;
  readonly #notModified: Variant;
  readonly #identity: Variant;
  /** By their encodings, the smallest first. */
  readonly #compressed = new Map<string, Variant>();

  constructor({ status = 200, headers, etag, bodies: { identity, br, gzip } }: Content) {
    const variant = (body: Bytes, more = {}): Variant => ({
      status,
      headers: { ...headers, ...more, 'Content-Length': String(body.length) },
      body,
    });
    this.#etag = status === 200 ? etag : undefined;
    this.#notModified = { status: 304, headers, body: null };
    this.#identity = variant(identity);
    if (br) this.#compressed.set('br', variant(br, { 'Content-Encoding': 'br' }));
    if (gzip) this.#compressed.set('gzip', variant(gzip, { 'Content-Encoding': 'gzip' }));
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

  #for(acceptEncoding = '', ifNoneMatch?: string): Variant {
    if (ifNoneMatch && this.#etag && matches(ifNoneMatch, this.#etag)) return this.#notModified;
    for (const [encoding, variant] of this.#compressed)
      if (admits(acceptEncoding, encoding)) return variant;
    return this.#identity;
  }
}

/** A text answer in all encodings, with an ETag. */
export function cachedText(
  text: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): CachedResponse {
  const identity = Buffer.from(text);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return new CachedResponse({
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
export class ResponseCache {
  readonly #version: () => string;
  #madeFor = '';
  readonly #making = new Map<string, Promise<CachedResponse>>();
  readonly #finished = new Map<string, CachedResponse>();

  /** `version` changes whenever what the answers show does. */
  constructor(version: () => string) {
    this.#version = version;
  }

  /** The answer if it has been made. */
  find(key: string): CachedResponse | undefined {
    this.#forgetOldVersion();
    return this.#finished.get(key);
  }

  /** The answer, made now if it has not been. */
  async get(key: string, make: () => Promise<CachedResponse>): Promise<CachedResponse> {
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
