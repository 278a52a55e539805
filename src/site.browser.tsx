import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import * as z from 'zod/mini';
import { site } from './company/company.ts';
import { readPageData } from './platform/browser/page-data.browser.ts';
import { startTooltips } from './ui/tooltips.ts';
import { loadPage } from './web/pages.ts';
import { SiteApp } from './web/site-app.tsx';

const data = readPageData(z.object({ site, view: z.unknown() }));
const root = document.getElementById('root');
// Without what it needs the script leaves the page as it was sent, with links and forms that work; see start.browser.ts.
if (!root || !data) throw new SyntaxError('the data of this page makes no sense');
// The not-found page is the same bytes for every address and learns here which one it is.
const shown = await loadPage(data.view, window.location.pathname);
startTooltips();
// In slices, so that a slow phone answers a finger in between.
startTransition(() => void hydrateRoot(root, <SiteApp site={data.site} shown={shown} />));
