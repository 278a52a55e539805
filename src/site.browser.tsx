/** Operates the islands of a public page. shell.browser.ts starts it. */
import { createElement } from 'react';
import { readPageData } from './platform/browser/page-data.ts';
import { hydrateIslands } from './ui/hydrate.tsx';
import { findIslands, type SiteData } from './web/islands.ts';

const { site, page, islands } = readPageData<SiteData>();
const module = await findIslands(page)?.load();
void hydrateIslands(
  site,
  islands.flatMap(({ name, props }) => {
    const component = module?.default[name];
    return component ? [createElement(component, props)] : [];
  }),
);
