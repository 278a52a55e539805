/** Reads bodies as they arrive, without letting the slow, the large and the crumbled ones fill the memory. */

/** 64 KiB, far above the longest message that a form allows. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Networks send some hundred bytes and more at a time; a body in pieces of a byte each costs a hundred times as much. */
const MOST_PIECES = 300;
/** All that has arrived of bodies that are not whole. Beyond it the one that has taken longest is given up. */
const MOST_ARRIVING_BYTES = 16 * 1024 * 1024;

export type Unread = 'broken off' | 'too large' | 'crumbs' | 'too slow';

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** How much has arrived of each, the oldest first. */
const arriving = new Map<Reader, number>();
let arrivingBytes = 0;

export async function readCapped(request: Request): Promise<Uint8Array | Unread> {
  if (isTooLarge(request)) return 'too large';
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  arriving.set(reader, 0);
  try {
    return await readWhole(reader);
  } catch {
    // The client went away or was too slow: nobody's fault here, and nobody listens.
    return 'broken off';
  } finally {
    forget(reader);
    // What is left of it is not read.
    reader.cancel().catch(() => undefined);
  }
}

export function isTooLarge({ headers }: Request): boolean {
  return Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES;
}

async function readWhole(reader: Reader): Promise<Uint8Array | Unread> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (!arriving.has(reader)) return 'too slow';
    if (done) return Buffer.concat(pieces);
    size += value.byteLength;
    if (size > MAX_BODY_BYTES) return 'too large';
    pieces.push(value);
    if (pieces.length > MOST_PIECES) return 'crumbs';
    makeRoom(reader, value.byteLength);
  }
}

function makeRoom(reader: Reader, bytes: number): void {
  arriving.set(reader, (arriving.get(reader) ?? 0) + bytes);
  arrivingBytes += bytes;
  const [oldest] = arriving.keys();
  if (arrivingBytes <= MOST_ARRIVING_BYTES || !oldest) return;
  forget(oldest);
  oldest.cancel().catch(() => undefined);
}

function forget(reader: Reader): void {
  arrivingBytes -= arriving.get(reader) ?? 0;
  arriving.delete(reader);
}
