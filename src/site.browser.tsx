import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { rememberFirstVisit } from './attribution/first-visit.ts';
import { readPageData } from './platform/site.ts';
import { startTooltips } from './ui/tooltips.ts';
import { findSitePage, type SiteData } from './web/pages.ts';
import { SiteApp } from './web/site-app.tsx';

const data = readPageData<SiteData>();
const root = document.getElementById('root');
const { default: Page } = await findSitePage(data.view.name).load();
rememberFirstVisit();
startTooltips();
// As a transition, so that a slow phone stays responsive while the page hydrates.
if (root) startTransition(() => void hydrateRoot(root, <SiteApp {...data} Page={Page} />));
