/** Operates the islands of a public page. shell.browser.ts starts it. */
import { createElement } from 'react';
import { importLater } from './platform/browser/later-script.ts';
import { readPageData } from './platform/browser/page-data.ts';
import { findIsland, hydrateIslands, hydrateRest } from './ui/hydrate.tsx';
import type { IslandsModule, SiteData } from './web/islands.ts';

const { site, islands, components, scripts } = readPageData<SiteData>();
const { rest } = scripts;
const { default: first }: IslandsModule = await import(/* @vite-ignore */ components);
void hydrateThoseIn(first);
if (rest)
  void hydrateRest(
    islands.flatMap(({ name }, place) => (first[name] ? [] : (findIsland(place) ?? []))),
    async () => hydrateThoseIn((await importLater<IslandsModule>(rest)).default),
  );

/** In the order of the module. */
function hydrateThoseIn(module: IslandsModule['default']): Promise<void> {
  const named = Object.entries(module).flatMap(([name, component]) =>
    islands.flatMap((island, place) =>
      island.name === name ? [[place, createElement(component, island.props)] as const] : [],
    ),
  );
  return hydrateIslands(site, named);
}
