/** A request as a line of text: as it is stored and sent as CSV, and as it is shown. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Row } from '../platform/database/tables.server.ts';
import { readTextCell, textCell } from '../platform/http/csv-cell.server.ts';
import type { AccessRecord } from './access-record.server.ts';

export const CSV_COLUMNS = 'timestamp,ip,method,url,status,responseTimeMs,bytes,referrer,userAgent';
export const CSV_LINE_END = '\r\n';

/**
 * A line of CSV (RFC 4180). The log is stored in this form, so that exporting a day is sending text that is ready. No cell
 * holds a line break: records are cleaned before they are written.
 */
export function writeCsvLine(record: AccessRecord): string {
  const { at, ip, method, url, status, durationUs, bytes, referrer, userAgent } = record;
  return `${timestamp(at)},${ip},${method},${textCell(url)},${status},${milliseconds(durationUs)},${bytes},${textCell(referrer)},${textCell(userAgent)}${CSV_LINE_END}`;
}

let second = { at: -1, text: '' };

/** ISO 8601 in UTC. A batch's requests come within a second or two, so most of it is written once. */
export function timestamp(at: number): string {
  const millisecond = at % 1000;
  if (at - millisecond !== second.at) {
    second = { at: at - millisecond, text: new Date(at).toISOString().slice(0, -4) };
  }
  return `${second.text}${String(millisecond).padStart(3, '0')}Z`;
}

function milliseconds(microseconds: number): string {
  return `${Math.floor(microseconds / 1000)}.${String(microseconds % 1000).padStart(3, '0')}`;
}

const CELL = '"([^"]*(?:""[^"]*)*)"';
const LINE = new RegExp(
  `^([^,]*),([^,]*),([^,]*),${CELL},(\\d+),([\\d.]+),(\\d+),${CELL},${CELL}$`,
);

/** Back from the line, without its end; throws on anything that `writeCsvLine` does not write. */
export function readCsvLine(line: string): AccessRecord {
  const cells = LINE.exec(line);
  if (!cells) throw new Error(`not a line of the access log: ${line}`);
  const [
    ,
    at = '',
    ip = '',
    method = '',
    url = '',
    status,
    time,
    bytes,
    referrer = '',
    agent = '',
  ] = cells;
  return {
    at: Date.parse(at),
    ip,
    method,
    url: readTextCell(url),
    status: Number(status),
    durationUs: Math.round(Number(time) * 1000),
    bytes: Number(bytes),
    referrer: readTextCell(referrer),
    userAgent: readTextCell(agent),
  };
}

/**
 * Packs to a tenth of the size, at 0.5 µs a line. Tables and chunks are small because Node allocates them for each call, and
 * V8 frees the call's stream, with its last chunk, only in a full collection, which they also bring about.
 */
const PACKING = {
  chunkSize: 4096,
  params: {
    [constants.ZSTD_c_compressionLevel]: 1,
    [constants.ZSTD_c_windowLog]: 17,
    [constants.ZSTD_c_hashLog]: 12,
  },
};

/** Lines, in ASCII, as they are stored. */
export function packLines(lines: Buffer): Buffer {
  return zstdCompressSync(lines, PACKING);
}

/** Those of a row, each with its end. */
export function linesOf({ packed, lines }: Pick<Row<'accessLog'>, 'packed' | 'lines'>): string {
  return packed ? zstdDecompressSync(packed).toString('latin1') : lines;
}

/** Lines, each with its end, that hold addresses: without them. */
export function withoutAddresses(lines: string): string {
  return lines.replace(/^([^,\n]+,)[^,]*/gm, '$1');
}

/** The combined log format, with the microseconds taken last. */
export function combinedLogLine(request: AccessRecord): string {
  const { at, ip, method, url, status, bytes, referrer, userAgent, durationUs } = request;
  return `${ip || '-'} - - [${clock(at)}] "${method || '-'} ${quotable(url) || '-'} HTTP/1.1" ${status} ${bytes} "${quotable(referrer) || '-'}" "${quotable(userAgent) || '-'}" ${durationUs}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** 13/May/2026:09:00:00 +0000 */
function clock(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${day}/${MONTHS[Number(month) - 1]}/${year}:${time.slice(0, 8)} +0000`;
}

/** No quote and no backslash of a stranger's may end or stretch a field; the log's own \xNN stay as they are. */
function quotable(text: string): string {
  return text.replace(/"|\\(?!x[0-9A-F]{2})/g, (character) =>
    character === '"' ? '\\x22' : '\\x5C',
  );
}
