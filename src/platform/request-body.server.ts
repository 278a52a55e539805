import { refuse } from './answer.server.ts';

/** 64 KiB, far above the longest message that a form allows. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Networks send some hundred bytes and more at a time; a body in pieces of a byte each costs a hundred times as much. */
const MOST_PIECES = 300;
const CLOSE = { headers: { Connection: 'close' } };

type Read = { body: unknown } | { refusal: Response };

/** Reads the body as far as a call wants it, and refuses what is of another type, too large, or not JSON. */
export async function readBody(request: Request, kind: 'json' | 'text' | 'none'): Promise<Read> {
  if (kind === 'none') return isTooLarge(request) ? { refusal: tooLarge() } : { body: null };
  if (
    kind === 'json' &&
    !/^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i.test(
      request.headers.get('content-type') ?? '',
    )
  ) {
    return { refusal: refuse(415, 'Please send JSON (Content-Type: application/json)') };
  }
  const bytes = await readCapped(request);
  if (bytes === 'broken off') return { refusal: refuse(400, 'The request broke off') };
  if (bytes === 'crumbs')
    return { refusal: refuse(400, 'The request comes in too many pieces', CLOSE) };
  if (!bytes) return { refusal: tooLarge() };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { body: kind === 'json' ? JSON.parse(text) : text };
  } catch {
    return { refusal: refuse(400, 'The request is not valid JSON') };
  }
}

function isTooLarge({ headers }: Request): boolean {
  return Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES;
}

function tooLarge(): Response {
  return refuse(413, 'The request is larger than 64 KiB');
}

/** The fields of a form that a browser posted by itself; of a field that comes twice, the last. */
export async function readForm(
  request: Request,
): Promise<{ fields: Record<string, string> } | { refusal: Response }> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return { refusal: refuse(415, 'Please send a form (application/x-www-form-urlencoded)') };
  }
  const read = await readBody(request, 'text');
  if ('refusal' in read) return read;
  return { fields: Object.fromEntries(new URLSearchParams(String(read.body))) };
}

/** Undefined for a body that is too large. */
async function readCapped(
  request: Request,
): Promise<Uint8Array | 'broken off' | 'crumbs' | undefined> {
  if (isTooLarge(request)) return undefined;
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      // Leaving the loop cancels the stream: the rest is never read.
      if (size > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
      if (chunks.length > MOST_PIECES) return 'crumbs';
    }
  } catch {
    // The client went away or was too slow: nobody's fault here, and nobody listens.
    return 'broken off';
  }
  return Buffer.concat(chunks);
}
