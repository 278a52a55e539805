/** Reads request bodies, without letting slow, large or fragmented ones fill the memory. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import {
  MAX_ARRIVING_BYTES,
  MAX_BODY_BYTES,
  MAX_BODY_CHUNKS,
  MAX_FORM_FIELDS,
} from '../../limits.ts';
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
  const bytes = collected.get(incoming.body) ?? (await readBytes(incoming.body, length));
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
  const text = String(read.body);
  if (text.split('&', MAX_FORM_FIELDS + 1).length > MAX_FORM_FIELDS) {
    return { refusal: refuse(400, 'The request has too many fields') };
  }
  return { body: Object.fromEntries([...new URLSearchParams(text)].reverse()) };
}

/** Names the encoding that is accepted, as RFC 9110 asks of a 415 answer. */
const UNCODED = { headers: { 'Accept-Encoding': 'identity' } };

type Unread = keyof typeof UNREAD;

/** Closes the connection, since the rest of the body would have to be read otherwise. */
const GIVEN_UP = { headers: { Connection: 'close' } };
const UNREAD = {
  aborted: () => refuse(400, 'The request was cut off'),
  'too-many-chunks': () => refuse(400, 'The request arrived in too many pieces', GIVEN_UP),
  'too-slow': () => refuse(408, 'The request took too long to arrive', GIVEN_UP),
  'too-large': () => refuse(413, 'The request is larger than 64 KiB'),
};

interface Arriving {
  bytes: number;
  stop(outcome: Uint8Array | Unread): void;
}

/** Unfinished bodies, the oldest first. */
const arriving = new Set<Arriving>();
let arrivingBytes = 0;

/** Bodies that arrived before their requests were answered. */
const collected = new WeakMap<Readable, Uint8Array | Unread>();

/** Whether a body follows the head, which must arrive before the request is answered. */
export function awaitsBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Collects the body for `readBody`. Resolves to false if the client disconnected. */
export async function collectBody(request: IncomingMessage): Promise<boolean> {
  const bytes = await readBytes(request, request.headers['content-length']);
  collected.set(request, bytes);
  return bytes !== 'aborted';
}

async function readBytes(
  body: Readable,
  contentLength: string | null | undefined,
): Promise<Uint8Array | Unread> {
  if (isTooLarge(contentLength)) return 'too-large';
  if (body.destroyed) return 'aborted';
  const { promise, resolve } = Promise.withResolvers<Uint8Array | Unread>();
  const chunks: Uint8Array[] = [];
  const read: Arriving = {
    bytes: 0,
    stop(outcome) {
      arriving.delete(read);
      arrivingBytes -= read.bytes;
      read.bytes = 0;
      chunks.length = 0;
      body.off('data', take);
      // The rest is not read.
      body.pause();
      resolve(outcome);
    },
  };
  function take(chunk: Uint8Array): void {
    read.bytes += chunk.byteLength;
    arrivingBytes += chunk.byteLength;
    chunks.push(chunk);
    const [oldest] = arriving;
    if (read.bytes > MAX_BODY_BYTES) read.stop('too-large');
    else if (chunks.length > MAX_BODY_CHUNKS) read.stop('too-many-chunks');
    else if (arrivingBytes > MAX_ARRIVING_BYTES) oldest?.stop('too-slow');
  }
  arriving.add(read);
  body.on('data', take);
  body.once('end', () => read.stop(Buffer.concat(chunks)));
  for (const event of ['error', 'close']) body.once(event, () => read.stop('aborted'));
  return promise;
}

function isTooLarge(contentLength: string | null | undefined): boolean {
  return Number(contentLength ?? 0) > MAX_BODY_BYTES;
}
