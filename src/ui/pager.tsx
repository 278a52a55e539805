import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { Button } from './button.tsx';

interface PagerProps {
  /** Counts from 1. */
  page: number;
  pageSize: number;
  total: number;
  onChange: (page: number) => void;
}

/** Renders nothing if there is only one page. */
export function Pager({ page, pageSize, total, onChange }: PagerProps) {
  if (total <= pageSize && page === 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm"
    >
      <p className="tabular-nums">
        {last < first ? `none of ${total}` : `${first}–${last} of ${total}`}
      </p>
      <div className="flex gap-2">
        <Button
          variant="quiet"
          size="small"
          aria-label="Previous page"
          disabled={page === 1}
          onClick={() => onChange(page - 1)}
        >
          <ChevronLeft className="size-4" />
          Previous
        </Button>
        <Button
          variant="quiet"
          size="small"
          aria-label="Next page"
          disabled={last >= total}
          onClick={() => onChange(page + 1)}
        >
          Next
          <ChevronRight className="size-4" />
        </Button>
      </div>
    </nav>
  );
}
