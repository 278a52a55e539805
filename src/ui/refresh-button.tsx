import RefreshCw from 'lucide-react/icons/refresh-cw';
import { Button } from './button.tsx';

export function RefreshButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button variant="quiet" size="small" onClick={onClick}>
      <RefreshCw className={`size-4 ${busy ? 'motion-safe:animate-spin' : ''}`} />
      Refresh
    </Button>
  );
}
