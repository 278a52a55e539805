/** What the site is called by the requests that come from its own pages. */
export interface OwnOrigin {
  /** PUBLIC_URL, or the address that the server listens on. */
  publicOrigin: string;
  /** While PUBLIC_URL is not set, the origin that a request's own Host names is the site's own too. */
  hostCounts: boolean;
}

/**
 * Go 1.25's cross-origin rule for state-changing calls: the browser's own word (Sec-Fetch-Site) counts first,
 * then the Origin. A caller that sends neither is no browser, and passes unless it would act as staff.
 */
export function isForeign(
  { headers, url }: Request,
  { publicOrigin, hostCounts }: OwnOrigin,
  actsAsStaff: boolean,
): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site !== 'same-origin' && site !== 'none';
  const origin = headers.get('origin');
  if (origin === null) return actsAsStaff;
  return origin !== publicOrigin && !(hostCounts && origin === new URL(url).origin);
}
