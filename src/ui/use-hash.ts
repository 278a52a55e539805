import { useSyncExternalStore } from 'react';

/** The URL's fragment with its '#'. Null on the server, which never sees it. */
export function useHash(): string | null {
  return useSyncExternalStore(
    onHashChange,
    () => window.location.hash,
    () => null,
  );
}

function onHashChange(listener: () => void) {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}
