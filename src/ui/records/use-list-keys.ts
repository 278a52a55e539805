/** The keyboard's way through a list of records: j, k and the arrows move, Enter opens, Escape closes. */
import { useEffect, useEffectEvent, useRef } from 'react';

/** Holds a record's id on the control that opens it; the keys move between these. */
export const OPENS = 'data-opens';

/**
 * The keyboard's moves, and focus that returns to the row whose record has been closed. The list is to hold the ref
 * that comes back. `letters`: whether j and k count.
 */
export function useListKeys(open: number | null, close: () => void, letters: boolean) {
  const list = useRef<HTMLTableElement>(null);
  const wasOpen = useRef(open);
  const onEscape = useEffectEvent(close);
  useEffect(() => {
    if (open === null && wasOpen.current !== null) focusRow(list.current, wasOpen.current);
    wasOpen.current = open;
  }, [open]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === 'Escape' && !document.querySelector('dialog:modal')) return onEscape();
      if (isTyping(target)) return;
      // Arrows scroll the page, except among the rows.
      const among = target instanceof Node && list.current?.contains(target);
      const step = (letters ? STEPS[key] : undefined) ?? (among ? ARROWS[key] : undefined);
      if (step === undefined) return;
      event.preventDefault();
      move(list.current, step);
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [letters]);
  return list;
}

const STEPS: Record<string, number> = { j: 1, k: -1 };
const ARROWS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

function move(list: HTMLElement | null, step: number): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>(`[${OPENS}]`) ?? [])];
  const focused = rows.findIndex((row) => row.contains(document.activeElement));
  const current = focused >= 0 ? focused : rows.findIndex((row) => row.ariaExpanded === 'true');
  const next = current < 0 ? (step > 0 ? 0 : rows.length - 1) : current + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}

/** Back to the row that was open. */
function focusRow(list: HTMLElement | null, id: number): void {
  list?.querySelector<HTMLElement>(`[${OPENS}="${id}"]`)?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, textarea, select, [contenteditable]');
}
