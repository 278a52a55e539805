/** The last 24 hours as CSV (RFC 4180), newest first, streamed: what the receiver has not taken is not read yet. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/tables.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { windowStart } from './log-store.server.ts';
import { newestRecords } from './read-log.server.ts';

const COLUMNS = 'timestamp,ip,method,url,status,responseTimeMs,bytes,referrer,userAgent';

export function csvStream(db: Kysely<Tables>, now: number): ReadableStream<Uint8Array> {
  const records = newestRecords(db, windowStart(now));
  return new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(`${COLUMNS}\r\n`)),
    async pull(controller) {
      const { value, done } = await records.next();
      if (done) return controller.close();
      controller.enqueue(Buffer.from(value.map(csvLine).join('')));
      // Other requests have their turn between two pieces.
      await nextTurn();
    },
    cancel: async () => {
      await records.return(undefined);
    },
  });
}

function csvLine(record: AccessRecord): string {
  const { at, ip, method, url, status, durationUs, bytes, referrer, userAgent } = record;
  const milliseconds = (durationUs / 1000).toFixed(3);
  return `${new Date(at).toISOString()},${ip},${method},${textCell(url)},${status},${milliseconds},${bytes},${textCell(referrer)},${textCell(userAgent)}\r\n`;
}

const FORMULA = /^[=+\-@\t\r]/;

/** What a stranger sent: quoted, and never a formula to a spreadsheet. */
function textCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
