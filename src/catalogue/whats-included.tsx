import type { ReactNode } from 'react';
import { ArrowLink } from '../ui/button.tsx';

/**
 * The frame of a lazy picture, of a fixed size: browsers fetch such pictures thousands of pixels ahead, and of what is not
 * drawn yet none. Most visitors of a phone never swipe to the last.
 */
export const NEAR_ONLY = 'overflow-hidden [content-visibility:auto]';

interface WhatsIncludedProps {
  /** The id of the card's heading. */
  heading: string;
  /** The colour of what leads on. */
  accent: string;
  /** Where 'Learn more' leads. */
  href: string;
  description?: string;
  features: readonly string[];
  priced: string;
  /** What to do next. */
  next: ReactNode;
}

/** The end of a card: 'Learn more', and beside it a fold that works without script. */
export function WhatsIncluded(props: WhatsIncludedProps) {
  const { heading, accent, href, description, features, priced, next } = props;
  return (
    // The link stands in the fold's first line, at its end; where there is no room, below it.
    <div className="@container relative text-sm">
      {features.length > 0 && (
        <details className="group/fold">
          <summary
            aria-describedby={heading}
            className="inline-flex min-h-10 list-none sm:min-h-11 items-center font-medium text-ink after:ml-2 sm:after:ml-2.5 after:size-1.75 after:-translate-y-0.5 after:rotate-45 after:border-r-2 after:border-b-2 after:border-current after:opacity-60 group-open/fold:after:translate-y-0.5 group-open/fold:after:-rotate-135 in-[.on-night]:text-white [&::-webkit-details-marker]:hidden"
          >
            What’s included
          </summary>
          <div className="grid gap-3 pt-1 pb-4">
            {description && <p>{description}</p>}
            <ul className="grid list-disc gap-1 pl-4.5 text-ink marker:text-primary in-[.on-night]:text-white in-[.on-night]:marker:text-(--industry)">
              {features.map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
            {priced && (
              <p>
                <strong className="font-medium text-ink in-[.on-night]:text-white">Price:</strong>{' '}
                {priced}
              </p>
            )}
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">{next}</div>
          </div>
        </details>
      )}
      <ArrowLink
        href={href}
        describedBy={heading}
        className={`${features.length > 0 ? 'max-sm:min-h-10 @min-[14rem]:absolute @min-[14rem]:top-0 @min-[14rem]:right-0' : ''} ${accent}`}
      >
        Learn more
      </ArrowLink>
    </div>
  );
}
