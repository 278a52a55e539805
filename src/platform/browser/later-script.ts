/** A script that the HTML names in its data, with all that it imports, to be fetched later. */
export interface LaterScript {
  entry: string;
  modules: { href: string; integrity?: string }[];
}

/**
 * Fetches a script with its modules at once, as their digests demand. `isPart`: the page needs it,
 * so theme.browser.ts notices if it is missing.
 */
export function importLater<Module>({ entry, modules }: LaterScript, isPart = false) {
  for (const module of modules) {
    const link = document.createElement('link');
    if (isPart) link.fetchPriority = 'low';
    document.head.append(Object.assign(link, module, { rel: 'modulepreload' }));
  }
  return import(/* @vite-ignore */ entry) as Promise<Module>;
}
