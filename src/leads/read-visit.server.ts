/**
 * Reads where visits began, from headers that anyone can write: only short names of letters, digits and a few signs count,
 * which are no formula, markup or email address. Everything else counts as not given.
 */
import type { IncomingMessage } from 'node:http';

export interface Lead {
  /** utm_source in lower case. */
  source: string | null;
  medium: string | null;
  campaign: string | null;
  /** Of another site that led here, without 'www.'. */
  host: string | null;
  /** The first page. Null: the visitor's browser said nothing, as without script. */
  page: string | null;
}

const MAX_HEADER = 1_500;
const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._~:/|()&,!%'+-]{0,99}$/u;
const HOST = /^[a-z\d.-]{1,100}$/;
const PAGE = /^\/[\w./-]{0,200}$/;

/** What the page's script sent along, in the header First-Visit. */
export function readFirstVisit(headers: Headers): Lead {
  const header = headers.get('first-visit') ?? '';
  const visit = new URLSearchParams(header.length > MAX_HEADER ? '' : header);
  // Anyone with the path of a quote can open it.
  const page = visit.get('page')?.replace(/^\/quote\/.*/, '/quote') ?? '';
  const host = hostOf(`http://${visit.get('host') ?? ''}`);
  return {
    source: readName(visit.get('source'))?.toLowerCase() ?? null,
    medium: readName(visit.get('medium')),
    campaign: readName(visit.get('campaign')),
    host: host === ownHost(headers.get('host')) ? null : host,
    page: PAGE.test(page) ? page : null,
  };
}

function readName(text: string | null | undefined): string | null {
  const name = text?.trim() ?? '';
  return NAME.test(name) ? name : null;
}

/** The host of another page, which may have led here. */
function hostOf(url: string): string | null {
  const host = URL.parse(url)?.hostname.replace(/^www\./, '') ?? '';
  return HOST.test(host) ? host : null;
}

const ownHost = (host: string | null | undefined) => hostOf(`http://${host}`);

/** The label under which it is counted; the SQL of `label` in lead-store.server.ts must match. */
export function labelOf({ source, host, page }: Pick<Lead, 'source' | 'host' | 'page'>): string {
  return source ?? host ?? (page === null ? UNKNOWN : DIRECT);
}

export const UNKNOWN = 'Unknown';
export const DIRECT = 'Direct';

/** As programs call themselves that read the web. */
const BOT = /bot|crawl|spider|https?:/i;
/** No browser that a person uses lacks the first, or has the second. */
const BROWSER = /^Mozilla\/5\.0 \(/;
const PROGRAM = /headless|preview|lighthouse/i;

export function isBot(userAgent: string): boolean {
  return BOT.test(userAgent);
}

/** The label of a page view with which a person's visit begins; undefined for every other request. */
export function visitLabel({ method, url = '', headers }: IncomingMessage): string | undefined {
  const { referer = '', cookie = '', 'user-agent': userAgent = '' } = headers;
  const isPerson = BROWSER.test(userAgent) && !PROGRAM.test(userAgent) && !isBot(userAgent);
  const isPage = (headers['sec-fetch-dest'] ?? 'document') === 'document';
  if (method !== 'GET' || !isPerson || !isPage || /(^|[ -])session=/.test(cookie)) return undefined;
  const host = hostOf(referer);
  const isInside = host !== null && host === ownHost(headers.host);
  if (isInside || headers['sec-fetch-site'] === 'same-origin') return undefined;
  const name = URL.parse(url, 'http://x')?.searchParams.get('utm_source');
  return labelOf({ source: readName(name)?.toLowerCase() ?? null, host, page: '' });
}
