import { type Cents, formatDollars } from '../platform/money.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Badge } from '../ui/facts.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Plan } from './catalogue.ts';
import { FeatureList } from './feature-list.tsx';
import { PhoneFold } from './phone-fold.tsx';

const FRAME = 'relative flex flex-col rounded-card border bg-surface p-5 lg:p-8';
const SCROLL_TO_TOP_DELAY_MS = 100;

export function PlanCard({ plan }: { plan: Plan }) {
  const { id, name, price, description, popular, features } = plan;
  const heading = `plan-${id}`;
  const raised = popular
    ? 'border-primary ring-1 ring-primary shadow-raised md:-my-4 md:py-9 lg:py-12'
    : 'border-line';
  return (
    <article className={`${FRAME} ${raised}`}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 md:block">
        <div className="flex min-h-8 flex-wrap items-center justify-between gap-3">
          <h3 id={heading} className="text-lg">
            {name}
          </h3>
          {popular && (
            <span className="max-lg:absolute max-lg:-top-3.5 max-lg:right-4">
              <Badge tone="amber">Most Popular</Badge>
            </span>
          )}
        </div>
        <p className="flex flex-wrap items-baseline gap-x-2 md:mt-5">
          <span className="text-xl font-semibold tracking-[-0.03em] text-ink tabular-nums md:text-2xl">
            <SmallCents amount={price} />
          </span>
          <span className="text-sm text-muted">per month</span>
        </p>
      </div>
      <p className="mt-1 text-sm md:mt-3 md:min-h-30 lg:min-h-18">{description}</p>
      {/* On a phone the fold and the button stand side by side. */}
      <div className="@container relative mt-3 -mb-2 md:mt-6 md:mb-0">
        <ButtonLink
          href={`/checkout?plan=${id}`}
          aria-describedby={heading}
          variant={popular ? 'primary' : 'quiet'}
          onClick={scrollToTopLater}
          className="w-full max-md:@min-[16rem]:absolute max-md:@min-[16rem]:top-0 max-md:@min-[16rem]:right-0 max-md:@min-[16rem]:w-auto"
        >
          Get Started
        </ButtonLink>
        <PhoneFold
          className="md:mt-7 md:border-t md:border-line md:pt-6"
          summary="What’s included"
          describedBy={heading}
          short
        >
          <FeatureList
            features={features}
            className="grid gap-y-2.5 text-sm text-ink max-md:pt-3 max-md:pb-4"
          />
        </PhoneFold>
      </div>
    </article>
  );
}

/** '$450.00' to the letter, of which the dollars are read first. */
function SmallCents({ amount }: { amount: Cents }) {
  const [dollars, cents] = formatDollars(amount).split('.');
  return (
    <>
      {dollars}
      <span className="text-base tracking-normal md:text-lg">{`.${cents}`}</span>
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
      <Skeleton className="mt-3 h-11 w-48 md:mt-6" />
      <Skeleton className="mt-3 h-12 w-full md:mt-4 md:h-28 lg:h-16" />
      <Skeleton className="mt-4 h-11 w-full md:mt-6" />
      <Skeleton className="mt-4 h-6 w-36 md:mt-13 md:h-82 md:w-4/5" />
    </div>
  );
}
