import type { ReactNode } from 'react';

/** Terms and what is known of each, in two columns where there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="mt-5 grid gap-3 text-sm sm:grid-cols-[8rem_1fr]">{children}</dl>;
}

export function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted max-sm:-mb-3">{term}</dt>
      <dd className="min-w-0 break-words text-ink">{children}</dd>
    </div>
  );
}
