import { useLayoutEffect } from 'react';

/** A control that is disabled while it works loses the focus: it comes back afterwards, unless it has gone elsewhere. */
export function useFocusBack(busy = false): void {
  useLayoutEffect(() => {
    const focused = document.activeElement;
    if (!busy || !(focused instanceof HTMLElement)) return;
    return () => {
      if (document.activeElement === document.body) focused.focus({ preventScroll: true });
    };
  }, [busy]);
}
