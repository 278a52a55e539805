import { useSyncExternalStore } from 'react';
import { onEvent } from '../platform/browser/on-event.ts';

const onHashChange = onEvent('hashchange');

/** The URL's fragment with its '#'. Null on the server, which never sees it. */
export function useHash(): string | null {
  return useSyncExternalStore(
    onHashChange,
    () => window.location.hash,
    () => null,
  );
}
