import { rememberFirstVisit } from './attribution/first-visit.ts';
import { readPageData } from './platform/site.ts';
import { hydratePage } from './ui/hydrate.ts';
import { startTooltips } from './ui/tooltips.ts';
import { findSitePage, type SiteData } from './web/pages.ts';
import { SiteApp } from './web/site-app.tsx';

const data = readPageData<SiteData>();
const { default: Page } = await findSitePage(data.view.name).load();
rememberFirstVisit();
startTooltips();
hydratePage(<SiteApp {...data} Page={Page} />);
