import { useEffect, useState } from 'react';
import { useAttended } from '../platform/use-idle.ts';

export interface Live {
  on: boolean;
  set(on: boolean): void;
}

/** Whether the figures follow by themselves: once somebody has switched it on, and until nobody has been there for 15 minutes. */
export function useLive(): Live {
  const [on, set] = useState(false);
  const attended = useAttended();
  useEffect(() => {
    if (!attended) set(false);
  }, [attended]);
  return { on, set };
}
