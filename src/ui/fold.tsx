import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';

/** A line that opens what is under it; it works without script. */
export function Fold({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-14 list-none items-center justify-between gap-4 py-3 font-medium text-ink hover:text-primary-deep [&::-webkit-details-marker]:hidden">
        {summary}
        <ChevronDown className="size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180" />
      </summary>
      <div className="pb-6">{children}</div>
    </details>
  );
}
