/** Stores records in batches. While the database is down they wait, up to a limit of bytes. */

import { localDate, timesOf } from '../company/days.ts';
import { MAX_WAITING_LOG_BYTES } from '../limits.ts';
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { logEvent, logFault } from '../platform/log.server.ts';
import type { Site } from '../site.server.ts';
import { customerFile } from '../staff/customer-file.server.ts';
import {
  DOWNLOAD_LOG,
  LOG_FILTER,
  type LogFilter,
  READ_ANALYTICS,
  READ_LOG,
} from './access-log-api.ts';
import {
  allRecords,
  last24Hours,
  type PageOf,
  readAnalytics,
  recordSize,
  storeBatch,
} from './access-log-store.server.ts';
import {
  type AccessRecord,
  cleanRecord,
  combinedLogLine,
  LOG_COLUMNS,
  visitedPath,
} from './access-record.server.ts';
import { deleteExcess } from './trim-access-log.server.ts';

/** A killed process loses the records of this time, plus those being written. */
const WRITE_EVERY_MS = 750;
/** A batch this large takes a few milliseconds, during which SQLite blocks the thread. */
const BATCH_SIZE = 1000;
/** The log's size is looked at whenever a server has stored this share of LOG_MAX_MB. */
const CHECKS_PER_LOG = 16;

export class AccessLog {
  readonly #db: Db;
  readonly #maxBytes: number;
  readonly pageOf: PageOf;
  /** What this server may have stored since the log's size was last looked at. */
  #unchecked = Number.POSITIVE_INFINITY;
  #waiting: AccessRecord[] = [];
  #waitingBytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #failing = false;
  #closed = false;
  /** Dropped records that the server's log has not reported yet. */
  #dropped = 0;

  /** `maxMegabytes`: LOG_MAX_MB, for stored records. */
  constructor(db: Db, maxMegabytes: number, pageOf: PageOf) {
    this.#db = db;
    this.pageOf = pageOf;
    this.#maxBytes = maxMegabytes * 1024 * 1024;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Never waits and never throws. */
  readonly add = (raw: AccessRecord): void => {
    if (this.#closed) return;
    const record = cleanRecord(raw);
    this.#waiting.push(record);
    this.#waitingBytes += recordSize(record);
    if (this.#waitingBytes > MAX_WAITING_LOG_BYTES) this.#dropOldest();
    if (this.#waiting.length % BATCH_SIZE === 0) void this.#write();
    else this.#schedule();
  };

  #dropOldest(): void {
    const oldest = this.#waiting.splice(0, Math.ceil(this.#waiting.length / 16));
    this.#waitingBytes -= sizeOf(oldest);
    this.#dropped += oldest.length;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#write(), WRITE_EVERY_MS).unref();
  }

  /** Stores all records so far, unless the database is down, for answers that show the latest. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write();
  }

  #write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeBatches().finally(() => {
      this.#writing = undefined;
      if (this.#waiting.length > 0) this.#schedule();
    });
    return this.#writing;
  }

  async #writeBatches(): Promise<void> {
    // Records that arrive in the meantime are left for the next write.
    for (let left = this.#waiting.length; left > 0; left -= BATCH_SIZE) {
      const records = this.#waiting.splice(0, BATCH_SIZE);
      const bytes = sizeOf(records);
      this.#waitingBytes -= bytes;
      try {
        await storeBatch(this.#db, records, this.pageOf);
      } catch (error) {
        this.#waiting.unshift(...records);
        this.#waitingBytes += bytes;
        this.#reportFailure(error);
        return;
      }
      if (this.#failing) {
        logEvent('info', 'access-log-write-recovered', { dropped: this.#dropped });
        this.#failing = false;
        this.#dropped = 0;
      }
      this.#unchecked += bytes;
      if (this.#unchecked > this.#maxBytes / CHECKS_PER_LOG) await this.#deleteExcess();
    }
  }

  async #deleteExcess(): Promise<void> {
    try {
      await deleteExcess(this.#db, this.#maxBytes);
      this.#unchecked = 0;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) logFault('access-log-trim-failed', error);
    }
  }

  #reportFailure(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    if (isDatabaseUnavailable(error))
      logEvent('warn', 'access-log-write-delayed', { message: String(error) });
    else logFault('access-log-write-failed', error);
  }

  /** Stores the remaining records if it can; later ones are lost. */
  async close(): Promise<void> {
    await this.flush();
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
    if (this.#dropped > 0) logEvent('warn', 'access-log-lines-dropped', { dropped: this.#dropped });
  }
}

function sizeOf(records: readonly AccessRecord[]): number {
  return records.reduce((sum, record) => sum + recordSize(record), 0);
}

/** What 'Raw Logs' shows. A flood leaves lines of 2 KB. */
const RAW_LINES = 5000;
const RAW_CHARACTERS = 2_000_000;

export function accessLogCalls({ db, log, company }: Site): Call[] {
  /** The records of the days that staff ask for, those of the last 24 hours by default. */
  function read(query: URLSearchParams) {
    const filter = LOG_FILTER.read(query);
    const times = timesOf(company, filter) ?? last24Hours(Date.now());
    return matching(allRecords(db, times), (record) => matches(log, filter, record));
  }
  return [
    call(READ_LOG, 'staff', async ({ query }) => {
      await log.flush();
      const logs = (await newestLines(read(query))).join('\n');
      return { success: true, logs, message: 'The newest requests of the last 24 hours' };
    }),
    call(READ_ANALYTICS, 'staff', async () => {
      await log.flush();
      const analytics = await readAnalytics(db, Date.now());
      return { success: true, analytics, message: 'The figures of the last 24 hours' };
    }),
    call(DOWNLOAD_LOG, 'staff', async (request) => {
      await log.flush();
      const name = `access-log-${localDate(company, Date.now())}.csv`;
      return customerFile(db, request, name, LOG_COLUMNS, read(request.query));
    }),
  ];
}

async function* matching(
  batches: AsyncGenerator<AccessRecord[]>,
  isFound: (record: AccessRecord) => boolean,
) {
  for await (const records of batches) yield records.filter(isFound);
}

/** Whether the line has each word, in any case. */
function matches(log: AccessLog, { search, status }: LogFilter, record: AccessRecord): boolean {
  const path = visitedPath(record);
  if (status === 'pages' && (path === undefined || log.pageOf(path) === undefined)) return false;
  if (!search) return true;
  const line = combinedLogLine(record).toLowerCase();
  return search
    .toLowerCase()
    .split(' ')
    .every((word) => line.includes(word));
}

async function newestLines(batches: AsyncGenerator<AccessRecord[]>): Promise<string[]> {
  const lines: string[] = [];
  let characters = 0;
  for await (const records of batches)
    for (const line of records.map(combinedLogLine)) {
      characters += line.length;
      if (characters > RAW_CHARACTERS || lines.length === RAW_LINES) return lines;
      lines.push(line);
    }
  return lines;
}
