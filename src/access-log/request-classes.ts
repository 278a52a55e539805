/** What a request is counted as: its device, how long it took, and the page and the site that it is about. */
import { isbot } from 'isbot';
import { memoize } from '../platform/memoize.ts';
import type { DeviceClass } from './analytics.ts';

const TABLET = /ipad|tablet|kindle|silk\/|playbook|android(?!.*\bmobile\b)/i;
const PHONE = /iphone|ipod|android.*\bmobile\b|windows phone|\bmobile\b|blackberry|opera mini/i;
const DESKTOP = /windows nt|macintosh|x11|cros|linux/i;

/** From what the browser says of itself; programs that call themselves nothing known are unknown. */
export const deviceClass = memoize((userAgent): DeviceClass => {
  if (isbot(userAgent)) return 'bot';
  if (TABLET.test(userAgent)) return 'tablet';
  if (PHONE.test(userAgent)) return 'phone';
  return DESKTOP.test(userAgent) ? 'desktop' : 'unknown';
});

/** Response times are counted by class, each 4 % wider than the one before: percentiles within 2 %. */
const STEP = Math.log(1.04);

export function durationClass(microseconds: number): number {
  return Math.floor(Math.log(Math.max(1, microseconds)) / STEP);
}

/** The middle of a class, in microseconds. */
function middleOf(durationClass: number): number {
  return Math.exp((durationClass + 0.5) * STEP);
}

/** The microseconds within which this share (0 to 1) of the requests was answered; 0 without requests. */
export function percentile(countByClass: ReadonlyMap<number, number>, share: number): number {
  const classes = [...countByClass].sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.ceil(total * share);
  const found = classes.find(([, count]) => {
    left -= count;
    return left <= 0;
  });
  return found ? middleOf(found[0]) : 0;
}

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
