/** The last 24 hours as CSV, newest first, streamed: what the receiver has not taken is not read yet. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/tables.server.ts';
import { CSV_COLUMNS, CSV_LINE_END } from './csv-line.server.ts';
import { windowStart } from './log-store.server.ts';
import { newestLines } from './read-log.server.ts';

export function csvStream(db: Kysely<Tables>, now: number): ReadableStream<Uint8Array> {
  const pieces = newestLines(db, windowStart(now));
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(CSV_COLUMNS + CSV_LINE_END)),
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) return controller.close();
      controller.enqueue(Buffer.from(value));
      // Other requests have their turn between two pieces.
      await nextTurn();
    },
    cancel: async () => {
      await pieces.return(undefined);
    },
  });
}
