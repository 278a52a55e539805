import type { ReactNode } from 'react';

interface DescriptionListProps {
  /** The value of each term; a term without a value is left out. */
  items: Record<string, ReactNode>;
}

/** Terms and their values, in two columns where there is room. */
export function DescriptionList({ items }: DescriptionListProps) {
  return (
    <dl className="mt-5 grid content-start gap-3 empty:hidden text-sm min-[22rem]:in-data-sheet:gap-y-0 in-[aside]:mt-1 in-[aside]:grid-cols-[auto_1fr] in-[aside]:gap-y-1.5 min-[22rem]:not-in-[aside]:grid-cols-[fit-content(7rem)_1fr] min-[22rem]:not-in-[aside]:gap-x-5">
      {Object.entries(items).map(
        ([term, value]) =>
          value && (
            <div key={term} className="contents">
              <dt className="text-muted in-[aside]:text-xs/6 max-[22rem]:not-in-[aside]:-mb-3">
                {term}
              </dt>
              <dd className="min-w-0 text-balance wrap-anywhere text-ink">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
