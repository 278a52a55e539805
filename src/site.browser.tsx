/** Operates the islands of a public page. shell.browser.ts starts it. */
import { createElement } from 'react';
import { readPageData } from './platform/browser/page-data.ts';
import { hydrateIslands } from './ui/hydrate.tsx';
import type { IslandsModule, SiteData } from './web/islands.ts';

const { site, islands, components } = readPageData<SiteData>();
const module: IslandsModule = await import(/* @vite-ignore */ components);
void hydrateIslands(
  site,
  islands.flatMap(({ name, props }) => {
    const component = module.default[name];
    return component ? [createElement(component, props)] : [];
  }),
);
