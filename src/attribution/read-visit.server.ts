/** Reads where visits began, from headers that anyone can write. */
import type { IncomingMessage } from 'node:http';
import { withoutToken } from '../routes.ts';

export interface Attribution {
  /** utm_source in lower case. */
  source: string | null;
  medium: string | null;
  campaign: string | null;
  /** Of another site that led here, without 'www.'. */
  host: string | null;
  /** The first page. Null: the visitor's browser said nothing, as without script. */
  page: string | null;
}

/** Three names of 100 letters beyond ASCII, percent-encoded, and a path. */
const MAX_HEADER = 4_000;
const MAX_NAME = 100;
/** Control and invisible characters, lone surrogates and line breaks. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;
const EMAIL_ADDRESS = /[^\s@]@[^\s@]/;
const HOST = /^[a-z\d.-]{1,100}$/;
const PAGE = /^\/[\w./-]{0,200}$/;

export function readFirstVisit(headers: Headers): Attribution {
  const header = headers.get('first-visit') ?? '';
  const visit = new URLSearchParams(header.length > MAX_HEADER ? '' : header);
  const page = withoutToken(visit.get('page') ?? '');
  const host = hostOf(`http://${visit.get('host') ?? ''}`);
  return {
    source: readName(visit.get('source'))?.toLowerCase() ?? null,
    medium: readName(visit.get('medium')),
    campaign: readName(visit.get('campaign')),
    host: host === ownHost(headers.get('host')) || PAYMENT_PAGES.test(host ?? '') ? null : host,
    page: PAGE.test(page) ? page : null,
  };
}

function readName(text: string | null | undefined): string | null {
  const line = (text ?? '').slice(0, MAX_NAME).normalize('NFC');
  const name = line.replace(UNPRINTABLE, '').trim();
  return name === '' || EMAIL_ADDRESS.test(name) ? null : name;
}

/** No host is longer; a longer one would take time that grows with its square. */
const MAX_HOST_URL = 500;

function hostOf(url: string): string | null {
  const host = URL.parse(url.slice(0, MAX_HOST_URL))?.hostname.replace(/^www\.|\.$/g, '') ?? '';
  return HOST.test(host) ? host : null;
}

const ownHost = (host: string | null | undefined) => hostOf(`http://${host}`);

/** The labels under which an attribution without source and host is counted. */
export const DIRECT = 'Direct';
export const UNKNOWN = 'Unknown';
/** Those beyond the limits of what is counted or listed by name. */
export const OTHER_SOURCES = 'Other sources';

/** Cubot makes telephones. */
const BOT = /(?<!cu)bot|crawl|spider|https?:/i;
/** Every browser that a person uses begins so, and has none of the others. */
const BROWSER = /^Mozilla\/5\.0 \((?!.*(headless|preview|lighthouse))/i;

export function isBot(userAgent: string): boolean {
  return BOT.test(userAgent);
}

/** Pages to which a buyer goes to pay, and from which they come back. */
const PAYMENT_PAGES = /(^|\.)(stripe\.com|stripe\.network|link\.com)$/;

/** What led to a person's first page view. `noSources`: hosts that people come back from. */
export function visitLabel(
  { method, url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  noSources: readonly string[] = [],
): string | undefined {
  const { referer = '', cookie = '', 'user-agent': userAgent = '' } = headers;
  const isStaff = /(^|[ -])session=/.test(cookie);
  const isPage = (headers['sec-fetch-dest'] ?? 'document') === 'document';
  if (method !== 'GET' || !isPage || isStaff || isBot(userAgent) || !BROWSER.test(userAgent))
    return undefined;
  const host = hostOf(referer);
  const isInside = host !== null && (host === ownHost(headers.host) || noSources.includes(host));
  const query = URL.parse(url, 'http://x')?.searchParams;
  // Their bank's page may have sent the buyer back, whose host is not known.
  const isFromPayment = query?.has('payment_intent') || PAYMENT_PAGES.test(host ?? '');
  if (isInside || isFromPayment || headers['sec-fetch-site'] === 'same-origin') return undefined;
  return readName(query?.get('utm_source'))?.toLowerCase() ?? host ?? DIRECT;
}
