import { startTransition, useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { PagePrefetch } from './page-prefetch.ts';
import type { ShownPage } from './pages.ts';
import { ScrollMemory } from './scroll-memory.ts';

/**
 * The page to draw for the address in the bar. After a move the old page stays until the new one is ready;
 * should that fail, the browser loads the address as a document, and its own error page tells why.
 */
export function useShownPage(first: ShownPage): ShownPage {
  const [path] = useLocation();
  // The path as the router reads it, which decodes it; while the page takes over that is the page's own.
  const [{ page, at }, setShown] = useState({ page: first, at: path });
  const [shelf] = useState(() => new PagePrefetch(first));
  const [scroll] = useState(() => new ScrollMemory(first.view.path));

  useEffect(() => shelf.listen(), [shelf]);
  // A layout effect comes before the effects in which wouter begins to listen.
  useLayoutEffect(() => scroll.listen(), [scroll]);

  useEffect(() => {
    if (path === at) return;
    let wanted = true;
    shelf.visit(path).then(
      (found) => wanted && startTransition(() => setShown({ page: found, at: path })),
      // The address stands in the bar already, with its query and hash.
      () => wanted && window.location.reload(),
    );
    return () => {
      wanted = false;
    };
  }, [path, at, shelf]);

  // Before the new page is painted, so that it is never seen at the old page's height.
  useLayoutEffect(() => scroll.drawn(page.view.path), [page.view.path, scroll]);

  return page;
}
