import RefreshCw from 'lucide-react/icons/refresh-cw';
import { Button } from './button.tsx';

export function RefreshButton({ busy, onClick }: { busy: boolean; onClick: () => void }) {
  return (
    <Button variant="quiet" size="small" busy={busy} onClick={onClick}>
      {!busy && <RefreshCw className="size-4" />}
      Refresh
    </Button>
  );
}
