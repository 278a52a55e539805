import { useEffect, useState } from 'react';

/** A screen that asks the server by itself must not keep the session of somebody who has left alive. */
const UNATTENDED_MS = 15 * 60 * 1000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** False once nobody has been at the screen for 15 minutes, until somebody is again. */
export function useAttended(): boolean {
  const [attended, set] = useState(true);
  useEffect(() => {
    let leave = setTimeout(set, UNATTENDED_MS, false);
    const stay = () => {
      clearTimeout(leave);
      leave = setTimeout(set, UNATTENDED_MS, false);
      set(true);
    };
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, stay, { passive: true });
    return () => {
      clearTimeout(leave);
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, stay);
    };
  }, []);
  return attended;
}
