import { type ReactNode, useId } from 'react';
import { FailureBoundary } from './failure-boundary.tsx';

interface PanelProps {
  heading: ReactNode;
  /** At the end of the heading's line. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** One matter of a dense screen, with its heading; the close-set sister of the card. */
export function Panel({ heading, aside, children, className = '' }: PanelProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={`flex flex-col gap-4 rounded-card border border-line bg-surface py-4 ${className}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 sm:px-5">
        <h2 id={id} className="text-base">
          {heading}
        </h2>
        {aside}
      </div>
      <div className="px-4 empty:hidden sm:px-5">
        <FailureBoundary>{children}</FailureBoundary>
      </div>
    </section>
  );
}
