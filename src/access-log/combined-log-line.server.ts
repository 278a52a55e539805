/** A request as one line of the combined log format, with the microseconds taken last. */
import type { AccessRecord } from './access-record.server.ts';

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
