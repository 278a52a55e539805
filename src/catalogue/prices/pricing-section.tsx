import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { CatalogueList, useList, useUpdatedPlans } from '../catalogue-list.tsx';
import { LIST_PLANS, readPlans } from '../read-catalogue.ts';
import { PlanCard, PlanCardSkeleton } from './plan-card.tsx';

interface PricingSectionProps {
  /** As the call answers. */
  plans: unknown;
  /** Below the plans. Given as an element, since it is not to be drawn again with the list: it may still be HTML. */
  answers: ReactNode;
}

export function PricingSection({ plans, answers }: PricingSectionProps) {
  const list = useList(LIST_PLANS, readPlans, readPlans(plans));
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
      {answers}
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
