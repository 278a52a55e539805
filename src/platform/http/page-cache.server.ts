/** Pages, and files made like them, as finished bytes: rendered when first asked for after a change of content, then sent as they are. */
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

type Encoding = 'br' | 'gzip' | 'identity';

interface Finished {
  status: number;
  etag: string;
  bodies: Record<Encoding, Uint8Array<ArrayBuffer>>;
  headers: Record<Encoding, Record<string, string>>;
}

const BROTLI_QUALITY = 9;

/** Every page that is asked for is kept, so a key is one of few that the site knows, never a visitor's words. */
export class PageCache {
  readonly #pages = new Map<string, Finished>();
  #version = '';

  /** A page from the cache, or rendered by `render`; pages of another version of the content are forgotten. */
  page(
    key: string,
    version: string,
    headers: Record<string, string>,
    render: () => { body: string; status: number },
  ): Finished {
    if (version !== this.#version) {
      this.#pages.clear();
      this.#version = version;
    }
    const kept = this.#pages.get(key);
    if (kept) return kept;
    const { body, status } = render();
    const page = finish(body, status, headers);
    this.#pages.set(key, page);
    return page;
  }
}

function finish(body: string, status: number, headers: Record<string, string>): Finished {
  const identity = Buffer.from(body);
  const etag = `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  const bodies = {
    identity,
    gzip: gzipSync(identity, { level: 9 }),
    br: brotliCompressSync(identity, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: identity.length,
      },
    }),
  };
  const every = {
    'Content-Type': 'text/html; charset=utf-8',
    ...headers,
    ETag: etag,
    Vary: 'Accept-Encoding',
  };
  const sized = (encoding: Encoding) => ({
    ...every,
    'Content-Length': String(bodies[encoding].length),
    ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
  });
  return {
    status,
    etag,
    bodies,
    headers: { identity: sized('identity'), gzip: sized('gzip'), br: sized('br') },
  };
}

/** Sends a finished page in the best encoding the browser takes, or 304 when it has this one already. */
export function sendPage(
  page: Finished,
  acceptEncoding: string | undefined,
  ifNoneMatch: string | undefined,
): Response {
  const encoding = chooseEncoding(acceptEncoding);
  const headers = page.headers[encoding];
  if (page.status === 200 && ifNoneMatch && matches(ifNoneMatch, page.etag)) {
    const { 'Content-Length': _, 'Content-Encoding': __, ...rest } = headers;
    return new Response(null, { status: 304, headers: rest });
  }
  return new Response(page.bodies[encoding], { status: page.status, headers });
}

export function chooseEncoding(accept: string | undefined): Encoding {
  if (!accept) return 'identity';
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accept)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accept) ? 'gzip' : 'identity';
}

export function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch
    .split(',')
    .some((each) => each.trim().replace(/^W\//, '') === etag || each.trim() === '*');
}
