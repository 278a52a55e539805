import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';

/** A summary that expands its content. Works without script. */
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
  /** The id of an element that says what the summary is about. */
  describedBy?: string;
  className?: string;
  /** Puts the marker right after the words, where the end of the line is taken. */
  inline?: boolean;
  children: ReactNode;
}

/** Collapsible on a phone, open from 48rem on, by CSS alone (`::details-content`). */
export function PhoneDisclosure({
  summary,
  describedBy,
  className = '',
  inline,
  children,
}: PhoneDisclosureProps) {
  return (
    <details
      className={`group/disclosure md:[&::details-content]:block md:[&::details-content]:[content-visibility:visible] ${className}`}
    >
      <summary
        aria-describedby={describedBy}
        className={`min-h-11 list-none items-center gap-3 ${inline ? 'inline-flex' : 'flex justify-between'} text-sm font-medium text-ink after:mr-1 after:size-1.75 after:shrink-0 after:-translate-y-0.5 after:rotate-45 after:border-r-2 after:border-b-2 after:border-current after:opacity-60 group-open/disclosure:after:translate-y-0.5 group-open/disclosure:after:-rotate-135 md:supports-[selector(::details-content)]:hidden [&::-webkit-details-marker]:hidden`}
      >
        {summary}
      </summary>
      {children}
    </details>
  );
}
