import { useEffect, useState } from 'react';
import { useIdle } from '../../platform/browser/use-idle.ts';

export interface Live {
  on: boolean;
  set(on: boolean): void;
}

/** Whether the figures follow by themselves: once somebody has switched it on, and until nobody has been there for 15 minutes. */
export function useLive(): Live {
  const [on, set] = useState(false);
  const idle = useIdle();
  useEffect(() => {
    if (idle) set(false);
  }, [idle]);
  return { on, set };
}
