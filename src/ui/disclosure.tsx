import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';

/** A line that opens what is under it; it works without script. */
export function Disclosure({ summary, children }: { summary: ReactNode; children: ReactNode }) {
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

interface PhoneDisclosureProps {
  summary: ReactNode;
  /** The id of what the summary is about. */
  describedBy?: string;
  className?: string;
  /** The sign follows the words, since the end of the line is taken. */
  short?: boolean;
  children: ReactNode;
}

/**
 * Folded on a phone, from 48 rem on always there. Without script: where a browser knows the part of a fold that hides
 * its content, that part shows it, and the line that opens it goes; an older browser has the fold at any width.
 */
export function PhoneDisclosure({
  summary,
  describedBy,
  className = '',
  short,
  children,
}: PhoneDisclosureProps) {
  return (
    <details
      className={`group/disclosure md:[&::details-content]:block md:[&::details-content]:[content-visibility:visible] ${className}`}
    >
      <summary
        aria-describedby={describedBy}
        className={`min-h-11 list-none items-center gap-3 ${short ? 'inline-flex' : 'flex justify-between'} text-sm font-medium text-ink after:mr-1 after:size-1.75 after:shrink-0 after:-translate-y-0.5 after:rotate-45 after:border-r-2 after:border-b-2 after:border-current after:opacity-60 group-open/disclosure:after:translate-y-0.5 group-open/disclosure:after:-rotate-135 md:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden`}
      >
        {summary}
      </summary>
      {children}
    </details>
  );
}
