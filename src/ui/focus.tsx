import { type MouseEvent, useEffect, useRef } from 'react';

/** Moves the focus without scrolling, also to an element that is not focusable by itself. */
export function moveFocusTo(element: HTMLElement | null): void {
  if (!element) return;
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Gives the focus back to a button that its press disabled, or to a heading if it is gone. */
export function useKeptFocus(busy = false) {
  /** The pressed button, and the elements around it from the inside out. */
  const path = useRef<readonly EventTarget[]>([]);
  useEffect(() => {
    if (!busy) path.current = [];
    return () => restoreFocus(path.current);
  }, [busy]);
  return ({ nativeEvent, currentTarget }: MouseEvent) => {
    const pressed = nativeEvent.composedPath();
    path.current = pressed.slice(pressed.indexOf(currentTarget));
  };
}

/** On the element that holds the focus of a removed button, until the focus moves on. */
const HOLDS_FOCUS = 'data-holds-focus';

function restoreFocus(path: readonly EventTarget[]): void {
  const [place] = path.filter((target) => target instanceof HTMLElement && target.isConnected);
  if (document.activeElement !== document.body || !(place instanceof HTMLElement)) return;
  const removed = place !== path[0];
  const holder = (removed && place.querySelector<HTMLElement>('h1, h2, h3')) || place;
  moveFocusTo(holder);
  if (!removed) return;
  holder.setAttribute(HOLDS_FOCUS, '');
  holder.addEventListener('blur', () => holder.removeAttribute(HOLDS_FOCUS), { once: true });
}

/** For 'Try again', which gets the focus of the last one if the part fails again. */
export function useFocusOfLastTry() {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (document.activeElement?.hasAttribute(HOLDS_FOCUS)) button.current?.focus();
  }, []);
  return button;
}
