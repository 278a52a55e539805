/**
 * Go 1.25's cross-origin rule for state-changing calls: the browser's own word (Sec-Fetch-Site) counts first,
 * then the Origin. A caller that sends neither is no browser, and passes unless it brings a session.
 */
export function isForeign(headers: Headers, publicOrigin: string, hasSession: boolean): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site !== 'same-origin' && site !== 'none';
  const origin = headers.get('origin');
  if (origin !== null) return origin !== publicOrigin;
  return hasSession;
}
