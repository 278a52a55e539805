/** Reads requests of the plainest kind, which most are: a head in one piece, of printable ASCII, and no body. */
import { memoize } from '../../memoize.ts';
import { isUsualHost } from './send-finished.server.ts';

export interface PlainRequest {
  method: 'GET' | 'HEAD';
  url: string;
  headers: PlainHeaders;
}

/** What an answer that is the same for everybody, and the access log, can depend on; '' when it is not sent. */
interface PlainHeaders {
  acceptEncoding: string;
  ifNoneMatch: string;
  userAgent: string;
  referrer: string;
  forwardedFor: string;
}

/** With one of these a request is more than its head, or its connection is not kept; or a second proxy header is left. */
const UNUSUAL =
  /^(connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|x-forwarded-for)$/;

/** As many as a browser's request has; heads are remembered, so they must not be large. */
const LONGEST = 2048;
const REQUEST_LINE = /^(GET|HEAD) (\/[\x21-\x7e]*) HTTP\/1\.1\r\n/;
const HEADER = /([\w!#$%&'*+.^`|~-]+): ?([\x20-\x7e]*)\r\n/y;

/** Undefined for bytes that are anything else than exactly one plain request. */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  if (bytes.length > LONGEST) return undefined;
  const text = bytes.toString('latin1');
  const line = REQUEST_LINE.exec(text);
  if (!line) return undefined;
  const [whole, method, url = ''] = line;
  const { lines, forwardedFor } = withoutVisitor(text.slice(whole.length));
  const headers = readHeaders(lines);
  return headers
    ? { method: method === 'GET' ? 'GET' : 'HEAD', url, headers: { ...headers, forwardedFor } }
    : undefined;
}

const FORWARDED = /(?<=^|\r\n)x-forwarded-for: ?([\x20-\x7e]*)\r\n/i;

/** What a proxy adds is another for each visitor; the lines without it are those of their browser. */
function withoutVisitor(lines: string): { lines: string; forwardedFor: string } {
  const found = FORWARDED.exec(lines);
  if (!found) return { lines, forwardedFor: '' };
  const [line, forwardedFor = ''] = found;
  const rest = lines.slice(0, found.index) + lines.slice(found.index + line.length);
  return { lines: rest, forwardedFor: forwardedFor.trim() };
}

/** Null: not plain. A browser sends the same ones again and again. */
const readHeaders = memoize((lines: string): Omit<PlainHeaders, 'forwardedFor'> | null => {
  const found = new Map<string, string>();
  HEADER.lastIndex = 0;
  let end = 0;
  for (let each = HEADER.exec(lines); each; each = HEADER.exec(lines)) {
    end = HEADER.lastIndex;
    const [, name = '', value = ''] = each;
    const key = name.toLowerCase();
    if (UNUSUAL.test(key) && !(key === 'connection' && /^keep-alive$/i.test(value))) return null;
    // Two of a kind mean something else for each of them: Node knows what.
    if (found.has(key)) return null;
    found.set(key, value.trim());
  }
  if (lines.slice(end) !== '\r\n' || !isUsualHost(found.get('host') ?? '')) return null;
  return {
    acceptEncoding: found.get('accept-encoding') ?? '',
    ifNoneMatch: found.get('if-none-match') ?? '',
    userAgent: found.get('user-agent') ?? '',
    referrer: found.get('referer') ?? '',
  };
});
