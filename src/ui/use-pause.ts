import { type FocusEvent, type PointerEvent, useState, useSyncExternalStore } from 'react';
import { onEvent } from '../platform/browser/on-event.ts';

/** Pauses what moves by itself under pointer or keyboard focus, or in a hidden tab. */
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

const onVisibilityChange = onEvent('visibilitychange');
