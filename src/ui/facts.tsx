import type { ReactNode } from 'react';

/** Terms and what is known of each, in two columns where there is room. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="mt-5 grid gap-3 text-sm sm:grid-cols-[6rem_1fr]">{children}</dl>;
}

interface FactProps {
  term: string;
  /** What is long is read over the whole width, under its term. */
  wide?: boolean;
  children: ReactNode;
}

export function Fact({ term, wide = false, children }: FactProps) {
  return (
    <div className={wide ? 'sm:col-span-2' : 'contents'}>
      <dt className={`text-muted ${wide ? '' : 'max-sm:-mb-3'}`}>{term}</dt>
      <dd className="min-w-0 break-words text-ink">{children}</dd>
    </div>
  );
}
