/** One request as recorded: free of secrets, and unable to break out of its line or field. */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { visitLabel } from '../attribution/read-visit.server.ts';
import { clientIp, requestIp } from '../platform/http/client-ip.server.ts';
import { streamBeganAt } from '../platform/http/event-streams.server.ts';
import type { CountedResponse, MalformedRequest } from '../platform/http/http-server.server.ts';
import type { Metrics } from '../platform/http/metrics.server.ts';
import { isDay } from '../platform/list-query.ts';
import { isoTime } from '../platform/time.ts';

export interface AccessRecord {
  /** When the request arrived, in milliseconds. */
  at: number;
  ip: string;
  method: string;
  url: string;
  status: number;
  /** Microseconds until the answer's last byte was sent; of a stream of events, its first. */
  durationUs: number;
  /** Size of the answer's body as sent, compressed, like Apache's %b. */
  bytes: number;
  referrer: string;
  userAgent: string;
  /** Whether a browser loaded it ahead, so that perhaps no one sees it: no visit. Not stored. */
  isPrefetch?: boolean;
  /** What led a person here, if their visit begins with this page. Not stored, only counted. */
  source?: string | undefined;
}

/** Chromium and Firefox send Sec-Purpose; older versions, Safari and some proxies the others. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const AHEAD = /prefetch|prerender|preview/i;

/** Nginx's status for a client that disconnected before there was an answer; log tools know it. */
const LEFT_BEFORE_ANSWER = 499;

const UNRECORDED = /^\/(healthz|up|readyz)(\?|$)/;

/** Records each answered request. Every request passes here, so it does as little as possible. */
export function requestRecorder(
  add: (record: AccessRecord) => void,
  {
    trustProxy,
    noSources,
    metrics,
  }: { trustProxy: number; noSources: readonly string[]; metrics: Metrics | null },
) {
  return (request: IncomingMessage, response: CountedResponse): void => {
    const { headers, method = '', url = '' } = request;
    if (UNRECORDED.test(url)) return;
    const beganAt = performance.now();
    // The socket of a client that left has none.
    const ip = requestIp(request, trustProxy);
    response.on('close', () => {
      const duration = performance.now() - beganAt;
      const answeredIn = (streamBeganAt(response) ?? performance.now()) - beganAt;
      const status = response.headersSent ? response.statusCode : LEFT_BEFORE_ANSWER;
      metrics?.countRequest(response.route, method, status, answeredIn / 1000);
      add({
        at: Math.round(Date.now() - duration),
        ip,
        method,
        url,
        status,
        durationUs: Math.round(answeredIn * 1000),
        bytes: response.bodyBytes,
        referrer: headers.referer ?? '',
        userAgent: headers['user-agent'] ?? '',
        isPrefetch: PURPOSES.some((name) => AHEAD.test(headers[name]?.toString() ?? '')),
        source: visitLabel(request, noSources),
      });
    });
  };
}

/** The record of bytes that Node could not parse as a request: method and URL are unknown. */
export function malformedRecord({ address, status, bytes }: MalformedRequest): AccessRecord {
  return {
    at: Date.now(),
    ip: clientIp(address, undefined, 0),
    method: '',
    url: '',
    status,
    durationUs: 0,
    bytes,
    referrer: '',
    userAgent: '',
  };
}

/** The site's own URLs have about 100 characters, a campaign's some hundreds. */
const MAX_URL = 1000;
const MAX_REFERRER = 500;
const MAX_USER_AGENT = 400;

/** Truncates to a copy: V8 would keep the whole text in memory for a substring of it. */
function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : Buffer.from(text.slice(0, maxLength)).toString();
}

export function cleanRecord(record: AccessRecord): AccessRecord {
  return {
    ...record,
    ip: isIP(record.ip) ? record.ip : '',
    url: cleanUrl(record.url, MAX_URL),
    referrer: cleanUrl(record.referrer, MAX_REFERRER),
    userAgent: printable(
      withoutAddresses(truncate(record.userAgent, MAX_USER_AGENT), /([\s();,/]+)/),
    ).slice(0, MAX_USER_AGENT),
  };
}

/** Truncates first, since cleaning long text is slow, and again, since cleaning may lengthen it. */
function cleanUrl(url: string, maxLength: number): string {
  return printable(withoutSecrets(truncate(url, maxLength))).slice(0, maxLength);
}

const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Escapes all but printable ASCII as \xNN, byte by byte: no line breaks, no reversed text. */
function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    [...Buffer.from(character, character < '\u0100' ? 'latin1' : 'utf8')]
      .map((byte) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

const isNumber = (value: string) => /^\d{1,9}$/.test(value);
/** The parameters and values that are kept: any other could hold a person's name or address. */
const KEPT_VALUES = new Map([
  ['plan', isNumber],
  ['ms365_users', isNumber],
  ['cloud_backup', (value: string) => value === 'true' || value === 'false'],
  ['open', isNumber],
  ['from', isDay],
  ['to', isDay],
  ['page', isNumber],
]);
/** Anyone with the URL of a quote can open it. */
const QUOTE = /^.*?[/\\]quote[/\\](?=.)/is;

/** The URL without a quote's token, email addresses, credentials and unknown parameters. */
export function withoutSecrets(url: string): string {
  const [address = '', ...query] = url.replace(/#.*/s, '').split('?');
  // Decoding only when needed: every request passes here, and hardly any has escapes.
  const [quote] = QUOTE.exec(address.includes('%') ? decoded(address) : address) ?? [];
  const path = withoutAddresses(
    (quote ? `${quote}REMOVED` : address).replace(/^([a-z][\w+.-]*:)?\/\/[^/]*@/i, '$1//'),
    /(\/+)/,
  );
  if (query.length === 0) return path;
  const parameters = [...new URLSearchParams(query.join('?'))];
  const allowedParameters = parameters.filter(([name, value]) => KEPT_VALUES.get(name)?.(value));
  return allowedParameters.length === 0
    ? path
    : `${path}?${new URLSearchParams(allowedParameters)}`;
}

const EMAIL_ADDRESS = /[\p{L}\p{N}._+-]@[\p{L}\p{N}]/u;

/** Removes the parts, as `separator` splits them, that contain an email address. */
function withoutAddresses(text: string, separator: RegExp): string {
  if (!/[@%]/.test(text)) return text;
  return text
    .split(separator)
    .map((part) => (EMAIL_ADDRESS.test(decoded(part)) ? 'REMOVED' : part))
    .join('');
}

/** Decodes a path twice, in case it was encoded twice. decodeURI would throw on an invalid %XX. */
function decoded(path: string): string {
  const once = (encoded: string) =>
    encoded.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once(once(path));
}

/** The path of a request that found something; undefined for any other, and for a prefetch. */
export function visitedPath(record: AccessRecord): string | undefined {
  const { method, url, status } = record;
  if (record.isPrefetch) return undefined;
  // A page that the browser had cached (304) was visited, too.
  if (method !== 'GET' || (status !== 200 && status !== 304)) return undefined;
  return url.split('?', 1)[0];
}

export const LOG_COLUMNS: Record<string, (record: AccessRecord) => string | number> = {
  timestamp: ({ at }) => isoTime(at),
  ip: ({ ip }) => ip,
  method: ({ method }) => method,
  url: ({ url }) => url,
  status: ({ status }) => status,
  responseTimeMs: ({ durationUs }) => (durationUs / 1000).toFixed(3),
  bytes: ({ bytes }) => bytes,
  referrer: ({ referrer }) => referrer,
  userAgent: ({ userAgent }) => userAgent,
};

/** The combined log format, with the duration in microseconds appended. */
export function combinedLogLine(record: AccessRecord): string {
  const { at, ip, method, url, status, bytes, referrer, userAgent, durationUs } = record;
  return `${ip || '-'} - - [${clock(at)}] "${method || '-'} ${escapeField(url) || '-'} HTTP/1.1" ${status} ${bytes} "${escapeField(referrer) || '-'}" "${escapeField(userAgent) || '-'}" ${durationUs}`;
}

/** 13/May/2026:09:00:00 +0000 */
function clock(at: number): string {
  const [, day, month, year, time] = new Date(at).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** Escapes quotes and backslashes, so that text cannot end or extend a field. Keeps \xNN. */
function escapeField(text: string): string {
  return text.replace(/"|\\(?!x[0-9A-F]{2})/g, (character) =>
    character === '"' ? '\\x22' : '\\x5C',
  );
}
