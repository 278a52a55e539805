import { type FocusEvent, type PointerEvent, useState } from 'react';

/**
 * Whether something that moves by itself must wait, because the visitor is on it with pointer or keyboard.
 * Focus that a mouse click leaves behind does not count, or a click on 'next' would hold it for good.
 */
export function useHold() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  return {
    held: hovered || focused,
    holdProps: {
      onPointerEnter: (event: PointerEvent) => setHovered(event.pointerType !== 'touch'),
      onPointerLeave: () => setHovered(false),
      onFocus: (event: FocusEvent) => setFocused(event.target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
}
