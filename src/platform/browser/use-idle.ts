import { useEffect, useState } from 'react';

const IDLE_MS = 15 * 60 * 1000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/**
 * True once nobody has been at the screen for 15 minutes, until somebody is again. A screen that asks the server by
 * itself must not keep the session of somebody who has left alive.
 */
export function useIdle(): boolean {
  const [idle, set] = useState(false);
  useEffect(() => {
    let leave = setTimeout(set, IDLE_MS, true);
    const stay = () => {
      clearTimeout(leave);
      leave = setTimeout(set, IDLE_MS, true);
      set(false);
    };
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, stay, { passive: true });
    return () => {
      clearTimeout(leave);
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, stay);
    };
  }, []);
  return idle;
}
