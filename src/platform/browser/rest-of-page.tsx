/** A page that is moved to is drawn in steps: what is seen of it first, and when that is painted, the rest. */
import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** In a tab that is hidden nothing is painted. */
const PAINTED_BY_MS = 500;

let isArriving = false;

/** Draws a page at once, but for its rest. */
export function drawHeadFirst(draw: () => void): void {
  isArriving = true;
  try {
    flushSync(draw);
  } finally {
    isArriving = false;
  }
}

/** What stands below the title of a page, and its pictures where it has any: most of it is below the first screen. */
export function RestOfPage({ children }: { children: ReactNode }) {
  const isDrawn = usePainted(true, !isArriving);
  // Keeps what follows out of sight.
  return isDrawn ? children : <div className="h-screen" />;
}

/** The value, once what was drawn when it came is painted; until then the one before, or `first`. */
export function usePainted<Value>(value: Value, first = value): Value {
  const [painted, setPainted] = useState(first);
  useEffect(() => {
    if (painted === value) return;
    const paint = () => startTransition(() => setPainted(() => value));
    const timers = [setTimeout(paint, PAINTED_BY_MS)];
    // The task after a frame begins when that frame is painted.
    const frame = requestAnimationFrame(() => timers.push(setTimeout(paint)));
    return () => {
      cancelAnimationFrame(frame);
      timers.forEach(clearTimeout);
    };
  }, [painted, value]);
  return painted;
}
