/** An answer that is ready before anybody asks: for each encoding its head as one block, and its body. */
import { createHash } from 'node:crypto';
import { admitted, COMPRESS, type Encoding } from './encoding.server.ts';

/** What is sent to one kind of reader. */
export interface Part {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The headers as they travel, each with its line end. */
  head: string;
  /** null: the reader has it already. */
  body: Buffer<ArrayBuffer> | null;
}

interface Content {
  status?: number;
  headers: Readonly<Record<string, string>>;
  /** Without one a reader is never told that it has this already. */
  etag?: string;
  /** Undefined: it is not sent in this encoding; as it is it always can be. */
  body(encoding: Encoding): Buffer<ArrayBuffer> | undefined;
}

export class FinishedAnswer {
  readonly #content: Content;
  readonly #parts = new Map<Encoding, Part>();
  #known: Part | undefined;

  constructor(content: Content) {
    this.#content = content;
  }

  /** What a reader with these headers gets. */
  part(acceptEncoding: string | undefined, ifNoneMatch: string | undefined): Part {
    const { status = 200, etag, headers } = this.#content;
    if (ifNoneMatch && etag && status === 200 && matches(ifNoneMatch, etag)) {
      this.#known ??= partOf(304, headers, null);
      return this.#known;
    }
    for (const encoding of admitted(acceptEncoding ?? '')) {
      const part = this.#partIn(encoding);
      if (part) return part;
    }
    throw new Error('every reader takes a body as it is');
  }

  #partIn(encoding: Encoding): Part | undefined {
    const kept = this.#parts.get(encoding);
    if (kept) return kept;
    const { status = 200, headers, body } = this.#content;
    const bytes = body(encoding);
    const named = encoding === 'identity' ? headers : { ...headers, 'Content-Encoding': encoding };
    const part = bytes && partOf(status, named, bytes);
    if (part) this.#parts.set(encoding, part);
    return part;
  }

  /** For an answer that passes through the framework. */
  response(headers: Headers): Response {
    const part = this.part(
      headers.get('accept-encoding') ?? undefined,
      headers.get('if-none-match') ?? undefined,
    );
    return new Response(part.body, { status: part.status, headers: part.headers });
  }
}

/** A text that every reader may get in the encoding that it takes, and need not get twice. */
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
    body: (encoding) => COMPRESS[encoding](identity),
  });
}

function partOf(
  status: number,
  given: Readonly<Record<string, string>>,
  body: Buffer<ArrayBuffer> | null,
): Part {
  const headers = body ? { ...given, 'Content-Length': String(body.length) } : given;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Node looks at each header for this; here it is done once for all who get it.
  if (lines.some((line) => /[^\t\x20-\x7e]/.test(line.slice(0, -2))))
    throw new Error(`a header with what no header may hold: ${lines.join('')}`);
  return { status, headers, head: lines.join(''), body };
}

function matches(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch
    .split(',')
    .some((each) => each.trim().replace(/^W\//, '') === etag || each.trim() === '*');
}
