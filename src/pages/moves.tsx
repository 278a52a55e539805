import { useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { navigate } from 'wouter/use-browser-location';
import { ADDRESS_CHANGES } from '../platform/browser/address-changes.ts';
import { drawHeadFirst } from '../platform/browser/rest-of-page.tsx';
import { focusOn } from '../ui/focus/focus-on.ts';
import { followedLink } from './followed-link.ts';
import { PagePrefetch } from './page-prefetch.ts';
import type { PageView, ShownPage } from './pages.ts';
import { ScrollMemory } from './scroll-memory.ts';

interface MovesProps {
  first: ShownPage;
  shown: PageView;
  show(page: ShownPage): void;
}

/**
 * The moves inside the public document. After a click on a link the old page stays until the new one is
 * ready; should that fail, the browser loads the address as a document, and its own error page tells why.
 */
export function Moves({ first, shown, show }: MovesProps) {
  const [prefetch] = useState(() => new PagePrefetch(first));
  const [scroll] = useState(() => new ScrollMemory(first.view.path));

  // A layout effect comes before the effect that may draw the next page.
  useLayoutEffect(() => scroll.listen(), [scroll]);
  useEffect(() => prefetch.listen(), [prefetch]);

  useEffect(() => {
    const listening = new AbortController();
    let drawn = first.view.path;
    let wanted = drawn;
    const follow = () => {
      const path = window.location.pathname;
      if (path === wanted) return;
      wanted = path;
      if (path === drawn) return;
      prefetch.visit(path).then(
        (page) => {
          if (wanted !== path) return;
          drawn = path;
          // A focused link that is removed with the old page makes the browser compute every style of the new one first.
          focusOn(document.getElementById('main'));
          // The visitor is waiting. Drawn in slices, the new page would come after another paint of the old one.
          const draw = scroll.leadsToTop() ? drawHeadFirst : flushSync;
          draw(() => show(page));
        },
        // The address stands in the bar already, with its query and hash.
        () => wanted === path && window.location.reload(),
      );
    };
    const { signal } = listening;
    for (const type of ADDRESS_CHANGES) window.addEventListener(type, follow, { signal });
    // Back may have come before this script.
    follow();
    document.addEventListener(
      'click',
      (event) => {
        const link = followedLink(event);
        if (!link) return;
        event.preventDefault();
        navigate(link.pathname + link.search + link.hash);
      },
      { signal },
    );
    return () => listening.abort();
  }, [first, prefetch, scroll, show]);

  // Before the new page is painted, so that it is never seen at the old page's height.
  useLayoutEffect(() => scroll.drawn(shown.path), [shown.path, scroll]);

  // Says the title of each page that is moved to; the first one the browser has said itself.
  const [moved, setMoved] = useState(false);
  if (shown !== first.view && !moved) setMoved(true);
  return (
    <p role="status" className="sr-only">
      {moved && shown.title}
    </p>
  );
}
