import { type RefObject, useEffect, useEffectEvent } from 'react';
import { TOAST_MS } from './toast.ts';

/**
 * Time runs while nobody is at the notifications and the tab is seen; leaving them gives the toast its
 * full time again. Radix's own clock stays stopped for good once a toast was closed under the pointer.
 */
export function useCountdown(
  open: boolean,
  region: RefObject<HTMLElement | null>,
  onEnd: () => void,
) {
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const place = region.current;
    if (!open || !place) return;
    let timer: ReturnType<typeof setTimeout>;
    const listening = new AbortController();
    const { signal } = listening;
    const restart = () => {
      clearTimeout(timer);
      const held = place.matches(':hover') || place.contains(document.activeElement);
      if (!held && !document.hidden) timer = setTimeout(() => end(), TOAST_MS);
    };
    for (const type of ['pointerenter', 'pointerleave', 'focusin', 'focusout']) {
      place.addEventListener(type, restart, { signal });
    }
    document.addEventListener('visibilitychange', restart, { signal });
    restart();
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [open, region]);
}
