import { type Cents, formatDollars } from '../platform/money.ts';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Plan } from './catalogue.ts';
import { FeatureList } from './feature-list.tsx';

const FRAME = 'relative flex flex-col rounded-card border bg-surface p-6 sm:p-8';
const SCROLL_TO_TOP_DELAY_MS = 100;

export function PlanCard({ plan }: { plan: Plan }) {
  const { id, name, price, description, popular, features } = plan;
  const heading = `plan-${id}`;
  const raised = popular
    ? 'border-primary ring-1 ring-primary shadow-raised lg:-my-4 lg:py-12'
    : 'border-line';
  return (
    <article className={`${FRAME} ${raised}`}>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-3">
        <h3 id={heading} className="text-lg">
          {name}
        </h3>
        {popular && <Badge tone="amber">Most Popular</Badge>}
      </div>
      <p className="mt-5 flex flex-wrap items-baseline gap-x-2">
        <span className="text-2xl font-semibold tracking-[-0.03em] text-ink tabular-nums">
          <SmallCents amount={price} />
        </span>
        <span className="text-sm text-muted">per month</span>
      </p>
      <p className="mt-3 text-sm lg:min-h-18">{description}</p>
      <ButtonLink
        href={`/checkout?plan=${id}`}
        aria-describedby={heading}
        variant={popular ? 'primary' : 'quiet'}
        onClick={scrollToTopLater}
        className="mt-6"
      >
        Get Started
      </ButtonLink>
      <FeatureList
        features={features}
        className="mt-7 grid gap-x-8 gap-y-2.5 border-t border-line pt-6 text-sm text-ink md:max-lg:grid-cols-2"
      />
    </article>
  );
}

/** '$450.00' to the letter, of which the dollars are read first. */
function SmallCents({ amount }: { amount: Cents }) {
  const [dollars, cents] = formatDollars(amount).split('.');
  return (
    <>
      {dollars}
      <span className="text-lg tracking-normal">{`.${cents}`}</span>
    </>
  );
}

/** Coming back from the checkout, the visitor finds the page at its top. */
function scrollToTopLater() {
  setTimeout(() => window.scrollTo({ top: 0 }), SCROLL_TO_TOP_DELAY_MS);
}

export function PlanCardSkeleton() {
  return (
    <div className={`${FRAME} border-line`}>
      <Skeleton className="h-8 w-32" />
      <Skeleton className="mt-6 h-11 w-48" />
      <Skeleton className="mt-4 h-16 w-full" />
      <Skeleton className="mt-6 h-11 w-full" />
      <Skeleton className="mt-13 h-82 w-4/5" />
    </div>
  );
}
