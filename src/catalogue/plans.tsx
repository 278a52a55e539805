import { useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useEffect } from 'react';
import { fetchCall } from '../platform/fetch-call.ts';
import { type Cents, cents, formatBriefly, formatDollars } from '../platform/money.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { PhoneDisclosure } from '../ui/disclosure.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { LIST_PLANS, type Plan, UPDATE_PLANS, withUsers } from './catalogue.ts';
import { CatalogueList, useList } from './catalogue-list.tsx';
import { FeatureList } from './feature-list.tsx';

/** `plans` come with the page; newer ones are fetched. */
export function Plans({ plans }: { plans: Plan[] }) {
  const list = useList(LIST_PLANS, plans);
  const queryClient = useQueryClient();
  // The server updates the plans' features, then they are fetched again.
  useEffect(() => {
    fetchCall(UPDATE_PLANS)
      .then((answer) => {
        console.info('Plans updated', answer);
        return queryClient.invalidateQueries({ queryKey: [LIST_PLANS.path] });
      })
      .catch((error) => console.warn('Plans not updated', error));
  }, [queryClient]);
  return (
    <CatalogueList
      list={list}
      what="pricing plans"
      skeletons={3}
      skeleton={<PlanCardSkeleton />}
      className="grid gap-4 md:grid-cols-3 md:pt-2 lg:gap-6"
    >
      {(plan) => <PlanCard plan={plan} />}
    </CatalogueList>
  );
}

const FRAME = 'relative flex flex-col rounded-card border bg-surface p-5 lg:p-8';
const SCROLL_TO_TOP_DELAY_MS = 100;

function PlanCard({ plan }: { plan: Plan }) {
  const { id, name, price, description, popular, features } = plan;
  const { users } = withUsers(plan);
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
              <Badge tone="highlight">Most Popular</Badge>
            </span>
          )}
        </div>
        <p className="flex flex-wrap items-baseline gap-x-2 md:mt-5">
          <span className="text-xl font-semibold tracking-[-0.03em] text-ink tabular-nums md:text-2xl">
            <SmallCents amount={price} />
          </span>
          <span className="text-sm text-muted">per month</span>
        </p>
        <p className="text-sm text-muted tabular-nums max-md:w-full">
          {`about ${formatDollars(cents(Math.round(price / users)))} a person for ${users}`}
        </p>
      </div>
      <p className="mt-1 text-sm md:mt-3 md:min-h-30 lg:min-h-18">{description}</p>
      {/* On a phone the disclosure and the button are side by side. */}
      <div className="@container relative mt-3 -mb-2 md:mt-6 md:mb-0">
        <ButtonLink
          href={`${CHECKOUT_PAGES.checkout.path}?plan=${id}`}
          aria-describedby={heading}
          variant={popular ? 'primary' : 'quiet'}
          onClick={scrollToTopLater}
          className="w-full max-md:@min-[16rem]:absolute max-md:@min-[16rem]:top-0 max-md:@min-[16rem]:right-0 max-md:@min-[16rem]:w-auto"
        >
          Get Started
        </ButtonLink>
        <PhoneDisclosure
          className="md:mt-7 md:border-t md:border-line md:pt-6"
          summary="What’s included"
          describedBy={heading}
          inline
        >
          <FeatureList
            features={features}
            className="grid gap-y-2.5 text-sm text-ink max-md:pt-3 max-md:pb-4"
          />
        </PhoneDisclosure>
      </div>
    </article>
  );
}

/** '$450', or '$450.50' with the dollars larger than the cents. */
function SmallCents({ amount }: { amount: Cents }) {
  const [dollars, rest] = formatBriefly(amount).split('.');
  return (
    <>
      <span>{dollars}</span>
      {rest && <span className="text-base tracking-normal md:text-lg">{`.${rest}`}</span>}
    </>
  );
}

/** A visitor who comes back from the checkout finds the page at its top. */
function scrollToTopLater({ ctrlKey, metaKey, shiftKey }: MouseEvent) {
  // The checkout opens in another tab or window, and the visitor goes on with the plans.
  if (ctrlKey || metaKey || shiftKey) return;
  setTimeout(() => window.scrollTo({ top: 0 }), SCROLL_TO_TOP_DELAY_MS);
}

function PlanCardSkeleton() {
  return (
    <div className={`${FRAME} border-line`}>
      <Skeleton className="h-8 w-32" />
      <Skeleton className="mt-6 h-11 w-48 max-md:hidden" />
      <Skeleton className="mt-2 h-12 w-full md:mt-4 md:h-28 lg:h-16" />
      <Skeleton className="mt-3 -mb-2 h-11 w-full md:mt-6 md:mb-0" />
      <Skeleton className="mt-13 h-82 w-4/5 max-md:hidden" />
    </div>
  );
}
