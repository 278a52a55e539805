import { useEffect, useState } from 'react';

export interface Live {
  on: boolean;
  set(on: boolean): void;
}

/** A screen that nobody uses any more must not keep its session alive for ever. */
const UNATTENDED_MS = 15 * 60 * 1000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/** Whether the figures follow by themselves: until paused, or until nobody has been there for 15 minutes. */
export function useLive(): Live {
  const [on, set] = useState(true);
  useEffect(() => {
    if (!on) return;
    let pause = setTimeout(set, UNATTENDED_MS, false);
    const attended = () => {
      clearTimeout(pause);
      pause = setTimeout(set, UNATTENDED_MS, false);
    };
    for (const sign of SIGNS_OF_LIFE) document.addEventListener(sign, attended, { passive: true });
    return () => {
      clearTimeout(pause);
      for (const sign of SIGNS_OF_LIFE) document.removeEventListener(sign, attended);
    };
  }, [on]);
  return { on, set };
}
