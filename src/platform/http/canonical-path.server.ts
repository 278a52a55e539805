/** Every path has one spelling, so that proxy, route, limit and count read the same. */

/** What some servers take for a slash or the path's end, and percent signs that encode nothing. */
const AMBIGUOUS = /[\\;]|%(?:[01][\da-f]|2f|3b|5c|7f|(?![\da-f]{2}))/i;
const PERCENT_CODED = /%[\da-f]{2}/gi;
const UNRESERVED = /[\w.~-]/;

/** The path as RFC 3986 normalizes it and a browser sends it; undefined when it is ambiguous. */
export function canonicalSpelling(path: string): string | undefined {
  if (!path.startsWith('/') || AMBIGUOUS.test(path)) return undefined;
  const decoded = path.replace(PERCENT_CODED, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return UNRESERVED.test(character) ? character : code.toUpperCase();
  });
  return new URL(decoded.replace(/\/{2,}/g, '/'), 'http://site').pathname;
}

/** The form in which paths are compared: capitals and a slash at the end make no difference. */
export function matchingPath(path: string): string {
  return path.toLowerCase().replace(/(?<=.)\/$/, '');
}

/** A request's path as it was sent. In absolute form it follows the host. */
export function requestPath(target: string): string {
  const [address = ''] = target.split('?', 1);
  return address.replace(/^https?:\/\/[^/]*/i, '') || '/';
}
