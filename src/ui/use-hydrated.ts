import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/** False in the HTML that the server sends, until React has taken the part over: what needs script is disabled so long. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}
