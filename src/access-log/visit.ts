/** The page that a request visited: a document, or a move inside one; undefined for assets and other calls. */
export function visitedPage(method: string, url: string, status: number): string | undefined {
  // A document that the browser still had (304) was visited all the same.
  if (method !== 'GET' || (status !== 200 && status !== 304)) return undefined;
  const [path = '', query] = url.split('?');
  if (path === MOVE) return pathOf(new URLSearchParams(query).get('path') ?? '');
  return path.startsWith('/') && !NO_PAGE.test(path) ? path : undefined;
}

/** The call that a move inside the document makes. */
const MOVE = '/api/page';
/** Calls, assets, pictures, and whatever has a file's name, such as robots.txt. */
const NO_PAGE = /^\/(api|assets|pictures|\.well-known)\/|\.\w+$/;

function pathOf(address: string): string {
  return address.split(/[?#]/)[0] ?? '';
}

export const DIRECT = '-';

/** The host of another site that led here; DIRECT for none; undefined for a move within this site. */
export function foreignReferrer(referrer: string, ownHost: string): string | undefined {
  if (referrer === '' || !URL.canParse(referrer)) return DIRECT;
  const { host } = new URL(referrer);
  if (host === ownHost) return undefined;
  return host || DIRECT;
}
