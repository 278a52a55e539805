/** What staff may ask of the access log, and what a scraper with the token may. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/csv-download.server.ts';
import type { AccessLog } from './access-log.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { analyticsAnswer, logsAnswer } from './analytics.ts';
import { DOWNLOAD_LOG, READ_ANALYTICS, READ_LOG, READ_METRICS } from './log-contracts.ts';
import { CSV_COLUMNS, CSV_LINE_END, combinedLogLine } from './log-lines.server.ts';
import { droppedUntil, windowStart } from './log-store.server.ts';
import type { RequestMetrics } from './metrics.server.ts';
import { readAnalytics } from './read-analytics.server.ts';
import { newestLines, newestRecords } from './read-log.server.ts';

/** As many lines as Raw Logs shows. */
const RAW_LINES = 5000;

interface Deps {
  db: Kysely<Tables>;
  log: AccessLog;
  metrics: RequestMetrics;
  metricsToken: string | null;
}

export function logCalls({ db, log, metrics, metricsToken }: Deps): Call[] {
  /** Answers with what `read` gives of the last 24 hours. */
  async function tell<Told>(read: (now: number) => Promise<Told>) {
    await log.settle();
    const now = Date.now();
    const told = await read(now);
    return { success: true, ...told, linesMissingUntil: await missingUntil(db, now) };
  }

  return [
    call(READ_LOG, {
      access: 'staff',
      answer: logsAnswer,
      handle: () => tell(async (now) => ({ logs: (await rawLines(db, now)).join('\n') })),
    }),
    call(READ_ANALYTICS, {
      access: 'staff',
      answer: analyticsAnswer,
      handle: () => tell(async (now) => ({ analytics: await readAnalytics(db, now) })),
    }),
    call(DOWNLOAD_LOG, {
      access: 'staff',
      handle: async () => {
        await log.settle();
        const lines = newestLines(db, windowStart(Date.now()));
        return csvDownload('access-log', CSV_COLUMNS + CSV_LINE_END, lines);
      },
    }),
    call(READ_METRICS, {
      access: 'recognised',
      handle: ({ staff, headers }) =>
        staff || bringsToken(headers.get('authorization'), metricsToken)
          ? new Response(metrics.text(log), {
              headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
            })
          : refuse(401, 'Please sign in', { headers: { 'WWW-Authenticate': 'Bearer' } }),
    }),
  ];
}

async function missingUntil(db: Kysely<Tables>, now: number): Promise<string | null> {
  const until = await droppedUntil(db, windowStart(now));
  return until === null ? null : new Date(until).toISOString();
}

async function rawLines(db: Kysely<Tables>, now: number): Promise<string[]> {
  const newest: AccessRecord[] = [];
  for await (const records of newestRecords(db, windowStart(now))) {
    newest.push(...records);
    if (newest.length >= RAW_LINES) break;
  }
  // Pieces that several servers wrote at the same time overlap.
  newest.sort((a, b) => b.at - a.at);
  return newest.slice(0, RAW_LINES).map(combinedLogLine);
}

function bringsToken(authorization: string | null, token: string | null): boolean {
  if (token === null || !authorization?.startsWith('Bearer ')) return false;
  return timingSafeEqual(digest(authorization.slice('Bearer '.length)), digest(token));
}

/** Equally long whatever was sent, as the comparison needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
