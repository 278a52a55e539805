import { type FocusEvent, type PointerEvent, useState, useSyncExternalStore } from 'react';

/**
 * Pauses something that moves or times out by itself, while the pointer or the keyboard focus is on it or the tab is hidden.
 * Only `:focus-visible` counts: the focus that a mouse click leaves on 'next' would pause it for good.
 */
export function usePause() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const hidden = useSyncExternalStore(
    onVisibilityChange,
    () => document.hidden,
    () => false,
  );
  return {
    paused: hovered || focused || hidden,
    pauseProps: {
      onPointerEnter: (event: PointerEvent) => setHovered(event.pointerType !== 'touch'),
      onPointerLeave: () => setHovered(false),
      onFocus: (event: FocusEvent) => setFocused(event.target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
}

function onVisibilityChange(listener: () => void) {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
