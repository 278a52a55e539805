/** Remembers in this tab how the visitor came to the site, for what they send later. No cookie. */
import { sessionStore } from '../platform/browser/browser-storage.ts';

const KEY = 'first_visit';

/** Call it on every page: only the first one of a tab counts. */
export function rememberFirstVisit(): void {
  if (sessionStore.read(KEY) !== null) return;
  const query = new URLSearchParams(location.search);
  const visit = new URLSearchParams({
    page: location.pathname,
    host: document.referrer.split('/')[2] ?? '',
  });
  for (const name of ['source', 'medium', 'campaign'])
    visit.set(name, query.get(`utm_${name}`)?.slice(0, 100) ?? '');
  sessionStore.set(KEY, `${visit}`);
}

export function firstVisitHeader(): Record<string, string> {
  const visit = sessionStore.read(KEY);
  return typeof visit === 'string' ? { 'First-Visit': visit } : {};
}
