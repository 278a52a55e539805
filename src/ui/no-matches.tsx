import type { ReactNode } from 'react';
import { Button } from './button.tsx';

/** In place of a list of which the search and the filters leave nothing. */
export function NoMatches({ onClear, children }: { onClear: () => void; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-4 px-5 py-12 text-center text-sm">
      <p>{children}</p>
      <Button variant="quiet" size="small" onClick={onClear}>
        Clear search and filters
      </Button>
    </div>
  );
}
