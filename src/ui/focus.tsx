import { type MouseEvent, useEffect, useRef } from 'react';

/** Moves the focus without scrolling, also to an element that is not focusable by itself. */
export function moveFocusTo(element: HTMLElement | null): void {
  if (!element) return;
  // A button stays a stop of the Tab key.
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** Of the last press, or of the button that has the focus again: only that one takes it back. */
let lastPath: readonly EventTarget[] = [];

/** Gives the focus back to a button that its press disabled, or to a heading if it is gone. */
export function useKeptFocus(busy = false) {
  /** The pressed button, and the elements around it from the inside out. */
  const path = useRef<readonly EventTarget[]>([]);
  useEffect(() => {
    if (!busy) path.current = [];
    return () => {
      if (path.current[0] === lastPath[0]) restoreFocus(path.current);
    };
  }, [busy]);
  return ({ nativeEvent, currentTarget }: MouseEvent) => {
    const pressed = nativeEvent.composedPath();
    path.current = pressed.slice(pressed.indexOf(currentTarget));
    lastPath = path.current;
  };
}

/** What has the focus, and the elements around it from the inside out. */
export function pathOfFocus(): readonly Element[] {
  const path: Element[] = [];
  const focused = document.activeElement;
  if (focused === document.body) return path;
  for (let element = focused; element; element = element.parentElement) path.push(element);
  return path;
}

/** Gives a lost focus to the first of these that is seen and not disabled, or to its heading. */
export function restoreFocus(path: readonly EventTarget[]): void {
  if (path.length > 0) lastPath = path;
  const place = path.find(
    (target) =>
      target instanceof HTMLElement && target.checkVisibility() && !target.matches(':disabled'),
  );
  const focused = document.activeElement;
  // A dialog that has just closed has it for a moment more.
  const isLost = focused === document.body || focused?.checkVisibility() === false;
  if (!isLost || !(place instanceof HTMLElement)) return;
  const removed = place !== path[0];
  moveFocusTo((removed && place.querySelector<HTMLElement>('h1, h2, h3')) || place);
}
