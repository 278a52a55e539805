import { Suspense } from 'react';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/section.tsx';
import type { Plan } from './catalogue.ts';
import { CatalogueList, useList, useUpdatedPlans } from './catalogue-list.tsx';
import { PlanCard, PlanCardSkeleton } from './plan-card.tsx';
import { PriceAnswers } from './price-answers.tsx';
import { LIST_PLANS, readPlans } from './read-catalogue.ts';

interface PricingSectionProps {
  /** As the call answers. */
  plans: unknown;
  /** What the planner, the comparison and the questions show (price-details.ts), as the page's data carries it. */
  details: unknown;
}

export function PricingSection({ plans, details }: PricingSectionProps) {
  const known = readPlans(plans);
  const list = useList(LIST_PLANS, readPlans, known);
  useUpdatedPlans(list.reload);
  return (
    <Section
      id="pricing"
      heading="Transparent Pricing"
      lead="One flat price per month for each plan. Microsoft 365 and cloud backup are optional, priced per user."
      underLead={<Badge tone="primary">Monthly Billing</Badge>}
    >
      <CatalogueList
        list={list}
        what="pricing plans"
        skeletons={3}
        skeleton={<PlanCardSkeleton />}
        className="grid gap-4 md:grid-cols-3 md:pt-4 lg:gap-6"
      >
        {(plan) => <PlanCard plan={plan} />}
      </CatalogueList>
      {/* They reckon with the page's own plans, so they do not stand below others. */}
      {(list.status !== 'loaded' || !known || soldAlike(list.rows, known)) && (
        <Suspense>
          <PriceAnswers details={details} />
        </Suspense>
      )}
      <div className="mt-8 flex flex-wrap lg:mt-16 items-center justify-between gap-x-12 gap-y-3 rounded-card bg-paper px-5 py-5 sm:px-8 sm:py-6">
        <div>
          <h3 className="text-base">Need a custom solution?</h3>
          <p className="text-sm">
            More sites, more users, or a compliance deadline? Get a written quote.
          </p>
        </div>
        <ButtonLink href="/#contact" variant="quiet">
          Ask for a quote
        </ButtonLink>
      </div>
    </Section>
  );
}

function soldAlike(rows: readonly Plan[], known: readonly Plan[]): boolean {
  const offers = (plans: readonly Plan[]) =>
    JSON.stringify(plans.map(({ id, name, price }) => [id, name, price]));
  return offers(rows) === offers(known);
}
