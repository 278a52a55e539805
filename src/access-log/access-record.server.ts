/** One request as it is kept: nothing in it can break out of its line, and no secret is in it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { clientIp, requestIp } from '../platform/http/client-ip.server.ts';
import type { MalformedRequest } from '../platform/http/http-server.server.ts';

export interface AccessRecord {
  /** When the request came, in milliseconds. */
  at: number;
  ip: string;
  method: string;
  url: string;
  status: number;
  /** Until the last byte of the answer was handed to the network. */
  durationUs: number;
  /** Of the whole answer as sent, its headers included. */
  bytes: number;
  referrer: string;
  userAgent: string;
}

/** The status that log tools know for a visitor who left before there was an answer. */
const LEFT_BEFORE_ANSWER = 499;

const UNRECORDED = /^\/(healthz|readyz)(\?|$)/;

/**
 * Records each request when its answer has left. This is in the way of every request, so it only hands the record over.
 */
export function requestRecorder(take: (record: AccessRecord) => void, trustProxy: number) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { headers, method = '', url = '', socket } = request;
    if (UNRECORDED.test(url)) return;
    const beganAt = performance.now();
    const sentBefore = socket.bytesWritten;
    response.on('close', () => {
      const duration = performance.now() - beganAt;
      take({
        at: Math.round(Date.now() - duration),
        ip: requestIp(request, trustProxy),
        method,
        url,
        status: response.headersSent ? response.statusCode : LEFT_BEFORE_ANSWER,
        durationUs: Math.round(duration * 1000),
        bytes: socket.bytesWritten - sentBefore,
        referrer: headers.referer ?? '',
        userAgent: headers['user-agent'] ?? '',
      });
    });
  };
}

/** Records bytes that Node could not read as a request: method and address are unknown. */
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

/** Our own addresses have a hundred characters, a campaign's some hundreds; what is longer is mostly hostile. */
const LONGEST_URL = 1000;
const LONGEST_REFERRER = 500;
const LONGEST_AGENT = 400;

/** A copy, for a part of a long text can hold the whole of it in memory. */
function short(text: string, longest: number): string {
  return text.length <= longest ? text : Buffer.from(text.slice(0, longest)).toString();
}

/** Makes a text that a stranger sent safe to store. */
export function cleanRecord(record: AccessRecord): AccessRecord {
  return {
    ...record,
    ip: isIP(record.ip) ? record.ip : '',
    url: cleanAddress(record.url, LONGEST_URL),
    referrer: cleanAddress(record.referrer, LONGEST_REFERRER),
    userAgent: printable(short(record.userAgent, LONGEST_AGENT)).slice(0, LONGEST_AGENT),
  };
}

/** Cuts the text before cleaning it, which takes time, and again afterwards, since it may have become longer. */
function cleanAddress(url: string, longest: number): string {
  return printable(withoutSecrets(short(url, longest))).slice(0, longest);
}

const UNPRINTABLE = /[^\x20-\x7e]/g;

/** Whatever is not printable ASCII becomes \xNN, byte by byte: no line breaks, no reversed text, no second line. */
function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    [...Buffer.from(character, character < '\u0100' ? 'latin1' : 'utf8')]
      .map((byte) => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );
}

/** The parameters of the site's own addresses that say nothing about a person and open nothing, and campaigns' own. */
const HARMLESS_PARAMETER =
  /^(plan|microsoft365|ms365_users|cloud_backup|list|open|page|mark|service|status|state|tab|v|utm_\w+)$/;
/** The address of a quote is all that is needed to see it. */
const QUOTE = /^.*?[/\\]quote[/\\](?=.)/is;

/** The path, without a quote's token, and the harmless parameters; no name, password or fragment. */
export function withoutSecrets(url: string): string {
  const [address = '', ...query] = url.replace(/#.*/s, '').split('?');
  // Each request is recorded, and hardly any has something to decode.
  const [quote] = QUOTE.exec(address.includes('%') ? decoded(address) : address) ?? [];
  const path = (quote ? `${quote}REMOVED` : address).replace(
    /^([a-z][\w+.-]*:)?\/\/[^/]*@/i,
    '$1//',
  );
  if (query.length === 0) return path;
  const parameters = [...new URLSearchParams(query.join('?'))];
  const harmless = parameters.filter(([name]) => HARMLESS_PARAMETER.test(name));
  return harmless.length === 0 ? path : `${path}?${new URLSearchParams(harmless)}`;
}

/** A path however it is encoded, even twice; each %XX by itself, since others may be broken. */
function decoded(path: string): string {
  const once = (encoded: string) =>
    encoded.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once(once(path));
}

/** Calls, assets, pictures, and whatever has a file's name, such as robots.txt. */
const NO_PAGE = /^\/(api|assets|pictures|\.well-known)\/|\.\w+$/;

/** The path of the page that a request visited; undefined for everything that is no page. */
export function visitedPage({ method, url, status }: AccessRecord): string | undefined {
  // A document that the browser had cached (304) was visited too.
  if (method !== 'GET' || (status !== 200 && status !== 304)) return undefined;
  const [path = ''] = url.split('?');
  // The rest of the path can be any text, and each path is stored as a row.
  if (path.startsWith('/checkout/') && path !== '/checkout/order') return '/checkout';
  return path.startsWith('/') && !NO_PAGE.test(path) ? path : undefined;
}

/** The columns of the CSV in their order. */
export const CSV_COLUMNS: Record<string, (record: AccessRecord) => string | number> = {
  timestamp: ({ at }) => new Date(at).toISOString(),
  ip: ({ ip }) => ip,
  method: ({ method }) => method,
  url: ({ url }) => url,
  status: ({ status }) => status,
  responseTimeMs: ({ durationUs }) => (durationUs / 1000).toFixed(3),
  bytes: ({ bytes }) => bytes,
  referrer: ({ referrer }) => referrer,
  userAgent: ({ userAgent }) => userAgent,
};

/** The combined log format, with the microseconds taken last. */
export function combinedLogLine(record: AccessRecord): string {
  const { at, ip, method, url, status, bytes, referrer, userAgent, durationUs } = record;
  return `${ip || '-'} - - [${clock(at)}] "${method || '-'} ${quotable(url) || '-'} HTTP/1.1" ${status} ${bytes} "${quotable(referrer) || '-'}" "${quotable(userAgent) || '-'}" ${durationUs}`;
}

/** 13/May/2026:09:00:00 +0000 */
function clock(at: number): string {
  const [, day, month, year, time] = new Date(at).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** No quote and no backslash of a stranger's may end or stretch a field; the log's own \xNN stay as they are. */
function quotable(text: string): string {
  return text.replace(/"|\\(?!x[0-9A-F]{2})/g, (character) =>
    character === '"' ? '\\x22' : '\\x5C',
  );
}
