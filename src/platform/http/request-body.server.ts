/** Reads request bodies of a limited size. */
import type { Readable } from 'node:stream';
import { MAX_BODY_BYTES } from '../../limits.ts';
import { refuse } from './answer.server.ts';

/** A request with Node's own stream: a web stream takes two fifths of a message's time. */
export interface Incoming {
  headers: Headers;
  body: Readable;
}

export type FormFields = Record<string, string>;
export type ReadBody<Body = unknown> = { body: Body } | { refusal: Response };

/** Reads the body if the call takes one; refuses another type, size, and invalid JSON. */
export async function readBody(
  incoming: Incoming,
  kind: 'json' | 'text' | 'none',
): Promise<ReadBody> {
  const { headers } = incoming;
  const length = headers.get('content-length');
  if (kind === 'none')
    return isTooLarge(length) ? { refusal: UNREAD['too-large']() } : { body: null };
  if (
    kind === 'json' &&
    !/^application\/json(\s*;\s*charset="?utf-8"?)?\s*$/i.test(headers.get('content-type') ?? '')
  ) {
    return { refusal: refuse(415, 'Please send JSON (Content-Type: application/json)') };
  }
  // Bodies are never decompressed, so a compressed one would be misread.
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    return { refusal: refuse(415, 'Please send it without a Content-Encoding', UNCODED) };
  const bytes = await readBytes(incoming.body, length);
  if (typeof bytes === 'string') return { refusal: UNREAD[bytes]() };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { body: kind === 'json' ? JSON.parse(text) : text };
  } catch {
    return { refusal: refuse(400, 'The request is not valid JSON') };
  }
}

/** The fields of a form posted without script. The first value of a repeated field counts. */
export async function readForm(incoming: Incoming): Promise<ReadBody<FormFields>> {
  const type = incoming.headers.get('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    return { refusal: refuse(415, 'Please send a form (application/x-www-form-urlencoded)') };
  }
  const read = await readBody(incoming, 'text');
  if ('refusal' in read) return read;
  const fields = new URLSearchParams(String(read.body));
  return { body: Object.fromEntries([...fields].reverse()) };
}

/** Names the encoding that is accepted, as RFC 9110 asks of a 415 answer. */
const UNCODED = { headers: { 'Accept-Encoding': 'identity' } };

type Unread = keyof typeof UNREAD;

const UNREAD = {
  aborted: () => refuse(400, 'The request was cut off'),
  'too-large': () => refuse(413, 'The request is larger than 64 KiB'),
};

function readBytes(body: Readable, contentLength: string | null): Promise<Uint8Array | Unread> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | Unread>();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  function take(chunk: Uint8Array): void {
    bytes += chunk.byteLength;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else {
      // The rest is not read.
      body.off('data', take).pause();
      resolve('too-large');
    }
  }
  if (isTooLarge(contentLength)) resolve('too-large');
  else if (body.destroyed) resolve('aborted');
  else {
    body.on('data', take);
    body.once('end', () => resolve(Buffer.concat(chunks)));
    for (const event of ['error', 'close']) body.once(event, () => resolve('aborted'));
  }
  return promise;
}

function isTooLarge(contentLength: string | null): boolean {
  return Number(contentLength ?? 0) > MAX_BODY_BYTES;
}
