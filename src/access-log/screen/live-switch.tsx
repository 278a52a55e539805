import { Button } from '../../ui/button.tsx';
import type { Live } from './use-live.ts';

export function LiveSwitch({ live }: { live: Live }) {
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
