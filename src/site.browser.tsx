import './ui/theme.css';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { loadPage } from './pages.ts';
import { readPageData } from './platform/page-data.browser.ts';
import { SiteApp, type SiteData } from './site-app.tsx';
import { startTooltips } from './ui/tooltips.ts';

startTooltips();
const { site, view } = readPageData<SiteData>();
const root = document.getElementById('root');
// The page's own module first, so that the first drawing equals what the server sent.
// The not-found page is the same bytes for every address and learns here which one it is.
const first = await loadPage({ ...view, path: view.path || window.location.pathname });
// In slices, so that a slow phone answers a finger in between.
if (root) startTransition(() => void hydrateRoot(root, <SiteApp site={site} first={first} />));
