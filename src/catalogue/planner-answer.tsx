import { useId } from 'react';
import { PriceBreakdown } from '../orders/price-breakdown.tsx';
import { formatDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/fields.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import type { SoldPlan } from './catalogue.ts';
import type { Answer } from './planner.ts';
import { includedUsers } from './user-count.ts';

interface PlannerAnswerProps {
  answer: Answer;
  /** Undefined while there is no number to reckon with: the lines keep their places, unseen. */
  people: number | undefined;
  plans: readonly SoldPlan[];
}

/** The plan that fits, what it comes to, and the way on. */
export function PlannerAnswer(props: PlannerAnswerProps) {
  const { answer, people, plans } = props;
  const { plan, size, beyond, price } = answer;
  const unknown = people === undefined;
  const planId = useId();
  // Until then the plan is that of the first number, whatever has been chosen.
  const disabled = !useHydrated();
  return (
    <div className="flex flex-col rounded-card bg-paper p-5 sm:p-8 lg:rounded-l-none lg:p-10">
      <div className="grid grid-cols-1 *:col-start-1 *:row-start-1">
        {unknown && (
          <p className="text-sm">Your price shows here once the number of people is right.</p>
        )}
        <div className={unknown ? 'invisible' : undefined}>
          <p className="text-sm text-muted">The plan that fits</p>
          <p className="mt-1 text-xl font-semibold tracking-tight text-ink">{plan.name}</p>
          <p className="mt-1 mb-5 text-sm">
            {beyond
              ? `The largest plan, sized for about ${size} users. Above that, we confirm the fit in writing and change nothing without your agreement.`
              : `Sized for about ${size} users.`}
          </p>
          <PriceBreakdown lines={price.lines} />
        </div>
      </div>
      <output
        aria-live="polite"
        className="mt-5 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-4 text-ink"
      >
        <span className="text-sm font-semibold">
          Monthly total
          {!unknown && (
            <span className="sr-only">
              {` with ${plan.name} for ${people} ${people === 1 ? 'person' : 'people'}:`}
            </span>
          )}
        </span>
        <span className="ml-auto text-xl font-semibold tabular-nums">
          {unknown ? '—' : formatDollars(price.total)}
        </span>
      </output>
      <Button
        type="submit"
        name="plan"
        value={plan.id}
        disabled={disabled}
        size="large"
        className="mt-5 noscript:hidden"
      >
        Continue with this plan
      </Button>
      <Button
        type="submit"
        name="plan"
        value={plan.id}
        formAction="/checkout#save-quote"
        disabled={disabled}
        variant="quiet"
        className="mt-3 noscript:hidden"
      >
        Save as a quote
      </Button>
      <noscript>
        <label htmlFor={planId} className="mt-5 mb-2 block text-sm font-medium text-ink">
          {`This is the price for ${people} people. Choose your plan:`}
        </label>
        <Select id={planId} name="plan" defaultValue={plan.id}>
          {plans.map(({ id, name }) => (
            <option key={id} value={id}>
              {`${name}, for about ${includedUsers(name)} users`}
            </option>
          ))}
        </Select>
        <Button type="submit" size="large" className="mt-4 w-full">
          Continue with this plan
        </Button>
      </noscript>
      <p className="mt-4 text-xs text-muted">
        Plan prices are flat, not charged per seat. Microsoft 365 and cloud backup are charged per
        user. Taxes aren’t included.
      </p>
    </div>
  );
}
