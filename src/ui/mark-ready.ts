import { useEffect } from 'react';

/** Notes on the document element that the page's script has taken over: nothing says that it didn't load any more. */
export function markReady(): void {
  document.documentElement.dataset.ready = '';
}

export function useMarkReady(): void {
  useEffect(markReady, []);
}
