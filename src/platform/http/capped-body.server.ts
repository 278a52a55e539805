/** Reads bodies as they arrive, without letting the slow, the large and the crumbled ones fill the memory. */
import type { Readable } from 'node:stream';
import type { Context } from 'hono';

/** 64 KiB, far above the longest message that a form allows. */
export const MAX_BODY_BYTES = 64 * 1024;
/** Networks send some hundred bytes and more at a time; a body in pieces of a byte each costs a hundred times as much. */
const MOST_PIECES = 300;
/** All that has arrived of bodies that are not whole. Beyond it the one that has taken longest is given up. */
const MOST_ARRIVING_BYTES = 16 * 1024 * 1024;

/** A request, and its body as Node has it: as a web stream it takes two fifths of a message’s time (decision 110). */
export interface Asked {
  request: Request;
  body: Readable;
}

export function askedOf({ req, env }: Context): Asked {
  return { request: req.raw, body: env.incoming };
}

export type Unread = 'broken off' | 'too large' | 'crumbs' | 'too slow';

interface Arriving {
  bytes: number;
  stop(outcome: Uint8Array | Unread): void;
}

/** The oldest first. */
const arriving = new Set<Arriving>();
let arrivingBytes = 0;

export async function readCapped({ request, body }: Asked): Promise<Uint8Array | Unread> {
  if (isTooLarge(request)) return 'too large';
  // The client went away or was too slow: nobody's fault here, and nobody listens.
  if (body.destroyed) return 'broken off';
  const { promise, resolve } = Promise.withResolvers<Uint8Array | Unread>();
  const pieces: Uint8Array[] = [];
  const read: Arriving = {
    bytes: 0,
    stop(outcome) {
      arriving.delete(read);
      arrivingBytes -= read.bytes;
      read.bytes = 0;
      pieces.length = 0;
      body.off('data', take);
      // What is left of it is not read.
      body.pause();
      resolve(outcome);
    },
  };
  function take(piece: Uint8Array): void {
    read.bytes += piece.byteLength;
    arrivingBytes += piece.byteLength;
    pieces.push(piece);
    const [oldest] = arriving;
    if (read.bytes > MAX_BODY_BYTES) read.stop('too large');
    else if (pieces.length > MOST_PIECES) read.stop('crumbs');
    else if (arrivingBytes > MOST_ARRIVING_BYTES) oldest?.stop('too slow');
  }
  arriving.add(read);
  body.on('data', take);
  body.once('end', () => read.stop(Buffer.concat(pieces)));
  for (const event of ['error', 'close']) body.once(event, () => read.stop('broken off'));
  return promise;
}

export function isTooLarge({ headers }: Request): boolean {
  return Number(headers.get('content-length') ?? 0) > MAX_BODY_BYTES;
}
