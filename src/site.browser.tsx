import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { readSite } from './company/read-site.ts';
import { SiteApp, siteFrame } from './documents/site-app.tsx';
import { loadPage } from './pages/pages.ts';
import { readPageData } from './platform/browser/page-data.browser.ts';
import { fetchParts, holdParts } from './platform/browser/part.tsx';
import { anything, fields } from './platform/read.ts';
import type { Site } from './platform/site.ts';

const somebody = Promise.withResolvers<void>();
holdParts(somebody.promise);
const data = readPageData(
  fields<{ site: Site; view: unknown }>({ site: readSite, view: anything }),
);
const root = document.getElementById('root');
// Without what it needs the script leaves the page as it was sent: whole, with links and forms that work.
if (root && data) {
  // The page's own module first, so that the first drawing equals what the server sent.
  // The not-found page is the same bytes for every address and learns here which one it is.
  const first = await loadPage(data.view, window.location.pathname);
  // In slices, so that a slow phone answers a finger in between.
  await globalThis.scheduler?.yield();
  startTransition(() => void hydrateRoot(root, <SiteApp site={data.site} first={first} />));
}

/** Somebody is there, as start.browser.ts has noticed. */
export async function takeOver(): Promise<void> {
  somebody.resolve();
  await fetchParts();
  (await siteFrame()).startTooltips();
}
