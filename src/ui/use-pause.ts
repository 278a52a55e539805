import { type FocusEvent, type PointerEvent, useState, useSyncExternalStore } from 'react';

/**
 * Whether something that moves by itself must wait: the visitor is on it with pointer or keyboard, or does not see the tab.
 * Focus that a mouse click leaves behind does not count, or a click on 'next' would hold it for good.
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
