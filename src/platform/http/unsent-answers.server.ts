/** Bounds what unread answers that were made for one request hold in memory. */
import type { ServerResponse } from 'node:http';
import { MAX_UNSENT_BYTES } from '../../limits.ts';

/** Unsent bytes by answer, the one whose reader has taken nothing for the longest time first. */
const unsent = new Map<ServerResponse, number>();
let total = 0;

/** Call it after each write. Beyond the limit for all, the slowest readers are cut off. */
export function countUnsent(response: ServerResponse): void {
  const isNew = !unsent.has(response);
  update(response);
  if (isNew && unsent.has(response)) response.once('close', () => set(response, 0));
  if (total <= MAX_UNSENT_BYTES) return;
  for (const each of [...unsent.keys()]) update(each);
  for (const [slowest] of unsent) {
    // One that is larger by itself may leave.
    if (total <= MAX_UNSENT_BYTES || unsent.size === 1) return;
    set(slowest, 0);
    // A reset: the system would otherwise go on offering what it has taken over.
    slowest.req.socket.resetAndDestroy();
  }
}

function update(response: ServerResponse): void {
  const { destroyed, req, writableLength } = response;
  const bytes = destroyed || req.socket.destroyed ? 0 : writableLength;
  if (bytes !== unsent.get(response)) set(response, bytes);
}

function set(response: ServerResponse, bytes: number): void {
  total += bytes - (unsent.get(response) ?? 0);
  unsent.delete(response);
  if (bytes > 0) unsent.set(response, bytes);
}
