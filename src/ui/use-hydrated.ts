import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** False on the server and until hydration: controls that need script are disabled until then. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
