import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { fetchCall } from '../platform/fetch-call.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Badge } from '../ui/facts.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Section } from '../ui/layout.tsx';
import type { Comparison, Plan, Question } from './catalogue.ts';
import { LIST_PLANS, UPDATE_PLANS } from './catalogue.ts';
import { CatalogueList, listKey, useList } from './catalogue-list.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { PlanCard, PlanCardSkeleton } from './plan-card.tsx';
import { PlanQuestions } from './plan-questions.tsx';
import { Planner } from './planner.tsx';
import type { AddOnPrices } from './pricing.ts';

interface PricingSectionProps {
  /** Those that the page carries. */
  plans: Plan[];
  addOns: AddOnPrices;
  comparison: Comparison;
  questions: readonly Question[];
}

export function PricingSection({ plans, addOns, comparison, questions }: PricingSectionProps) {
  const list = useList(LIST_PLANS, plans);
  useUpdatedPlans();
  // Those on screen, or the last that were: planner and table never name a plan that is not sold.
  const sold = list.data ?? [];
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
      <Suspense>
        {sold.length > 0 && (
          <FailureBoundary>
            <Planner plans={sold} prices={addOns} />
          </FailureBoundary>
        )}
        <ComparisonTable plans={sold} comparison={comparison} />
        {questions.length > 0 && <PlanQuestions questions={questions} />}
      </Suspense>
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

/** Has the server renew the plans' features when the prices come on screen, and reloads the list then. */
function useUpdatedPlans() {
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: () => fetchCall(UPDATE_PLANS),
    onSuccess(answer) {
      console.info('Plans updated', answer);
      return queryClient.invalidateQueries({ queryKey: listKey(LIST_PLANS) });
    },
    onError: (error) => console.warn('Plans not updated', error),
  });
  useEffect(() => mutate(), [mutate]);
}
