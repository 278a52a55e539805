import { useEffect, useState } from 'react';
import { useIdle } from '../../platform/browser/use-idle.ts';
import { Button } from '../../ui/button.tsx';

/** Whether the figures follow by themselves: once somebody has switched it on, and until nobody has been there for 15 minutes. */
export function useLive() {
  const [on, set] = useState(false);
  const idle = useIdle();
  useEffect(() => {
    if (idle) set(false);
  }, [idle]);
  return { on, set };
}

export function LiveSwitch({ live }: { live: ReturnType<typeof useLive> }) {
  return (
    <div className="flex items-center gap-3 text-sm">
      <span className="flex items-center gap-2" role="status">
        <span className={`size-2 rounded-full ${live.on ? 'bg-primary' : 'bg-edge'}`} />
        {live.on ? 'Live' : 'Not live'}
      </span>
      <Button variant="quiet" size="small" onClick={() => live.set(!live.on)}>
        {live.on ? 'Stop live updates' : 'Start live updates'}
      </Button>
    </div>
  );
}
