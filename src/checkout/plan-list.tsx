import type { UseQueryResult } from '@tanstack/react-query';
import type { Plan } from '../catalogue/catalogue.ts';
import { ListStates } from '../catalogue/catalogue-list.tsx';
import { TryAgainOrCall } from '../company/try-again-or-call.tsx';
import { formatDollars } from '../platform/money.ts';
import { Badge } from '../ui/facts.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface PlanListProps {
  list: UseQueryResult<Plan[]>;
  selectedId: number | null;
}

const CARD = 'rounded-card border bg-surface p-5 max-[18rem]:p-3';

export function PlanList({ list, selectedId }: PlanListProps) {
  return (
    <ListStates
      list={list}
      failure={(tryAgain) => (
        <div role="alert" className="rounded-card border border-line bg-surface p-6 text-center">
          <p className="text-danger">Error loading pricing plans. Please try again later.</p>
          <TryAgainOrCall onClick={tryAgain} />
        </div>
      )}
      placeholders={<Placeholders />}
    >
      {(plans) => <Plans plans={plans} selectedId={selectedId} />}
    </ListStates>
  );
}

function Placeholders() {
  return (
    <div aria-busy="true" className="grid gap-4">
      <p className="sr-only" role="status">
        Loading plans
      </p>
      {['first', 'second', 'third'].map((place) => (
        <div key={place} data-placeholder="plan" className={`${CARD} border-line`}>
          <div className="pl-8">
            <Skeleton className="h-7.5 w-32" />
            <Skeleton className="mt-1 h-7 w-44" />
            <Skeleton className="mt-2 h-18 w-full sm:h-12" />
          </div>
        </div>
      ))}
    </div>
  );
}

function Plans({ plans, selectedId }: { plans: readonly Plan[]; selectedId: number | null }) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="sr-only">Plan</legend>
      {plans.map((plan) => (
        <label
          key={plan.id}
          className={`${CARD} relative cursor-pointer border-line hover:border-edge has-checked:border-primary has-checked:bg-primary-soft/60 has-checked:ring-1 has-checked:ring-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-primary`}
        >
          <span className="flex items-start gap-3">
            <input
              type="radio"
              name="plan"
              value={plan.id}
              defaultChecked={plan.id === selectedId}
              aria-labelledby={`plan-${plan.id}-name plan-${plan.id}-price`}
              aria-describedby={`plan-${plan.id}-description`}
              className="mt-1 size-5 shrink-0 accent-primary focus-visible:outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <span id={`plan-${plan.id}-name`} className="text-lg font-semibold text-ink">
                  {plan.name}
                </span>
                {plan.popular && <Badge tone="amber">Most Popular</Badge>}
              </span>
              <span id={`plan-${plan.id}-price`} className="mt-1 block text-ink tabular-nums">
                <span className="font-medium">{formatDollars(plan.price)}</span>
                <span className="text-sm text-muted"> per month</span>
              </span>
              <span id={`plan-${plan.id}-description`} className="mt-2 block text-sm">
                {plan.description}
              </span>
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
