import { type ReactNode, useId } from 'react';
import { Button } from '../button.tsx';
import { FailureBoundary } from '../failure-boundary.tsx';

interface RecordPanelProps {
  heading: string;
  /** Whether the list is known to hold nothing. */
  nothing: boolean;
  /** Whether a search or a filter leaves something out. */
  narrowed: boolean;
  /** Said when search and filters leave nothing. */
  noMatches: string;
  /** Leaves out nothing any more. */
  onClear: () => void;
  /** Said when there is nothing to leave out. */
  empty: string;
  /** The table. */
  children: ReactNode;
}

/** A list of records under its heading, or why it is empty. */
export function RecordPanel(props: RecordPanelProps) {
  const { heading, nothing, narrowed, noMatches, onClear, empty, children } = props;
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex min-h-0 flex-col overflow-hidden rounded-card border border-line bg-surface"
    >
      <h2 id={id} className="px-4 py-3.5 text-base lg:px-5">
        {heading}
      </h2>
      <FailureBoundary>
        <div className="relative panes:in-data-panes:scroll-pt-10 panes:in-data-panes:overflow-y-auto">
          {children}
        </div>
      </FailureBoundary>
      {nothing && narrowed && (
        <div className="grid justify-items-center gap-4 px-5 py-12 text-center text-sm">
          <p>{noMatches}</p>
          <Button variant="quiet" size="small" onClick={onClear}>
            Clear search and filters
          </Button>
        </div>
      )}
      {nothing && !narrowed && <p className="px-5 py-12 text-center text-sm">{empty}</p>}
    </section>
  );
}
