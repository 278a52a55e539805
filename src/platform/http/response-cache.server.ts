/** Pages and files: rendered and compressed once per version of the content. */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

type Bytes = Buffer<ArrayBuffer>;

interface CachedContent {
  status?: number;
  headers: Readonly<Record<string, string>>;
  /** Without one, no request is answered with 304. */
  etag?: string;
  /** Uncompressed, and in the encodings that save bytes. */
  bodies: { identity: Bytes; br?: Bytes; gzip?: Bytes };
}

/** The response in one encoding, built once for all requests. `body` is null for 304. */
interface Variant {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Bytes | null;
}

export class CachedResponse {
  readonly #etag: string | undefined;
  /** Only for status 200. */
  readonly #notModified: Variant | undefined;
  readonly #identity: Variant;
  /** By encoding, the smallest first. */
  readonly #compressed = new Map<string, Variant>();

  constructor({ status = 200, headers, etag, bodies: { identity, br, gzip } }: CachedContent) {
    const variant = (body: Bytes, more = {}): Variant => ({
      status,
      headers: { ...headers, ...more, 'Content-Length': String(body.length) },
      body,
    });
    this.#etag = etag;
    this.#notModified = status === 200 ? { status: 304, headers, body: null } : undefined;
    this.#identity = variant(identity);
    if (br) this.#compressed.set('br', variant(br, { 'Content-Encoding': 'br' }));
    if (gzip) this.#compressed.set('gzip', variant(gzip, { 'Content-Encoding': 'gzip' }));
  }

  /** Answers a GET or HEAD request through Node's response. */
  send({ method, headers: received }: IncomingMessage, response: ServerResponse): void {
    const accepted = received['accept-encoding']?.toString();
    const { status, headers, body } = this.#for(accepted, received['if-none-match']);
    response.writeHead(status, headers).end(method === 'HEAD' ? null : body);
  }

  /** The same as a web Response, for Hono. */
  response(received: Headers): Response {
    const accepted = received.get('accept-encoding') ?? undefined;
    const { body, ...init } = this.#for(accepted, received.get('if-none-match') ?? undefined);
    return new Response(body, init);
  }

  #for(acceptEncoding = '', ifNoneMatch?: string): Variant {
    if (this.#notModified && ifNoneMatch && this.#etag && matches(ifNoneMatch, this.#etag))
      return this.#notModified;
    for (const [encoding, variant] of this.#compressed)
      if (accepts(acceptEncoding, encoding)) return variant;
    return this.#identity;
  }
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
/** Levels 10 and 11 take ten times as long to save a few bytes. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** A text in all encodings, with an ETag. Compressed in Node's pool: a page takes up to 100 ms. */
export async function encoded(identity: Bytes) {
  const etag = `"${hash('sha256', identity, 'base64url').slice(0, 22)}"`;
  const [br, gzip] = await Promise.all([
    compressBrotli(identity, BROTLI),
    compressGzip(identity, { level: 9 }),
  ]);
  return { etag, bodies: { br, gzip, identity }, headers: { ETag: etag, Vary: 'Accept-Encoding' } };
}

/** A text response in all encodings. */
export async function cachedText(
  text: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<CachedResponse> {
  const { etag, bodies, headers: more } = await encoded(Buffer.from(text));
  return new CachedResponse({ status, headers: { ...headers, ...more }, etag, bodies });
}

/** Several times as long as any browser's Accept-Encoding. */
const MAX_ACCEPT = 200;

function accepts(accept: string, encoding: string): boolean {
  return accept
    .slice(0, MAX_ACCEPT)
    .split(',')
    .some((coding) => {
      const [name, ...parameters] = coding.split(';').map((part) => part.trim());
      return name === encoding && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
    });
}

/** An ETag is quoted, so no other can contain it; it may be in a list, with W/ in front. */
function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.includes(etag) || ifNoneMatch.trim() === '*';
}

/** Cached responses by keys of a fixed set, never a visitor's words: the cache is bounded. */
export class ResponseCache {
  readonly #version: () => string;
  #cachedVersion = '';
  readonly #pending = new Map<string, Promise<CachedResponse>>();
  readonly #cached = new Map<string, CachedResponse>();

  /** `version`: a string that changes whenever the content of the responses does. */
  constructor(version: () => string) {
    this.#version = version;
  }

  find(key: string): CachedResponse | undefined {
    this.#clearOldVersion();
    return this.#cached.get(key);
  }

  /** The response, rendered now unless cached. Concurrent requests share one rendering. */
  async get(key: string, render: () => Promise<CachedResponse>): Promise<CachedResponse> {
    this.#clearOldVersion();
    const version = this.#cachedVersion;
    const pending = this.#pending.get(key) ?? render();
    this.#pending.set(key, pending);
    try {
      const response = await pending;
      if (version === this.#cachedVersion) this.#cached.set(key, response);
      return response;
    } catch (error) {
      this.#pending.delete(key);
      throw error;
    }
  }

  #clearOldVersion(): void {
    const version = this.#version();
    if (version === this.#cachedVersion) return;
    this.#cachedVersion = version;
    this.#pending.clear();
    this.#cached.clear();
  }
}
