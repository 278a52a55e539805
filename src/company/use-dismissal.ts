import { type RefObject, useEffect, useEffectEvent } from 'react';
import { ADDRESS_CHANGES } from '../platform/browser/address-changes.ts';

const OUTSIDE_CLICK_DELAY_MS = 100;

/** While open: Escape, a click outside and a move put the panel away, and Tab goes round inside it. */
export function useDismissal(
  open: boolean,
  panel: RefObject<HTMLElement | null>,
  onEscape: () => void,
  close: () => void,
) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onEscape();
    if (event.key === 'Tab' && panel.current) goRound(event, panel.current);
  });
  const onClick = useEffectEvent((event: MouseEvent) => {
    if (event.target instanceof Node && !panel.current?.contains(event.target)) close();
  });
  const onMove = useEffectEvent(close);

  useEffect(() => {
    if (!open) return;
    const listening = new AbortController();
    document.addEventListener('keydown', (event) => onKey(event), { signal: listening.signal });
    for (const change of ADDRESS_CHANGES)
      window.addEventListener(change, () => onMove(), { signal: listening.signal });
    // The click that opened the panel is still on its way up and must not close it.
    const timer = setTimeout(
      () =>
        document.addEventListener('click', (event) => onClick(event), { signal: listening.signal }),
      OUTSIDE_CLICK_DELAY_MS,
    );
    return () => {
      clearTimeout(timer);
      listening.abort();
    };
  }, [open]);
}

function goRound(event: KeyboardEvent, panel: HTMLElement) {
  const stops = [...panel.querySelectorAll<HTMLElement>('a[href], button')].filter((stop) =>
    stop.checkVisibility(),
  );
  const [leaving, entering] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== leaving && panel.contains(document.activeElement)) return;
  event.preventDefault();
  entering?.focus();
}
