import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import type { PageView } from './pages.ts';
import { fetchJson } from './platform/fetch-json.ts';
import { loadPage, type ShownPage } from './site-app.tsx';

/**
 * The page to draw for the address in the bar. After a move the old page stays until the new one is ready;
 * should that fail, the browser loads the address as a document, and its own error page tells why.
 */
export function useShownPage(first: ShownPage): ShownPage {
  const [path] = useLocation();
  const [shown, setShown] = useState(first);
  const loaded = useRef(new Map([[first.view.path, first]]));
  const scroll = useScrollMemory(shown.view.path);

  useEffect(() => {
    if (path === shown.view.path) return;
    let wanted = true;
    const known = loaded.current.get(path);
    // A page seen before is fetched again all the same: the move is a visit, and its content may have changed.
    const fetched = fetchJson<PageView>(`/api/page?path=${encodeURIComponent(path)}`).then(
      loadPage,
    );
    (known ? Promise.resolve(known) : fetched).then(
      (page) => {
        loaded.current.set(path, page);
        if (wanted) setShown(page);
      },
      () => window.location.assign(path),
    );
    fetched.catch(() => undefined);
    return () => {
      wanted = false;
    };
  }, [path, shown.view.path]);

  useEffect(() => {
    if (shown !== first) scroll.arrive();
  }, [shown, first, scroll]);

  return shown;
}

interface ScrollMemory {
  /** To be called when another page has been drawn: goes to where it was left, to its hash, or to its top. */
  arrive(): void;
}

function useScrollMemory(path: string): ScrollMemory {
  const current = useRef(path);
  const [memory] = useState(() => newScrollMemory(current));
  useEffect(() => {
    current.current = path;
  }, [path]);
  useEffect(() => memory.listen(), [memory]);
  return memory;
}

function newScrollMemory(current: { current: string }) {
  const positions = new Map<string, number>();
  let wentBack = false;
  const remember = () => positions.set(current.current, window.scrollY);
  const popped = () => {
    wentBack = true;
  };
  return {
    listen() {
      window.addEventListener('scroll', remember, { passive: true });
      window.addEventListener('popstate', popped);
      return () => {
        window.removeEventListener('scroll', remember);
        window.removeEventListener('popstate', popped);
      };
    },
    arrive() {
      const target = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
      if (wentBack)
        window.scrollTo({ top: positions.get(current.current) ?? 0, behavior: 'instant' });
      else if (target) target.scrollIntoView();
      else {
        window.scrollTo({ top: 0, behavior: 'instant' });
        // Readers of the screen hear the new page from its beginning.
        document.getElementById('main')?.focus({ preventScroll: true });
      }
      wentBack = false;
    },
  };
}
