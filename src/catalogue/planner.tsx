import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { PriceBreakdown } from '../orders/price-breakdown.tsx';
import { formatDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { PhoneDisclosure } from '../ui/disclosure.tsx';
import { Slider } from '../ui/fields.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { BackupField, Microsoft365Field, readAddOns, UsersInput } from './add-on-fields.tsx';
import type { Plan } from './catalogue.ts';
import {
  type AddOnPrices,
  type Choice,
  monthlyPrice,
  planFor,
  readCount,
  wrongCount,
} from './pricing.ts';

const MAX_PEOPLE = 250;
const FIRST_PEOPLE = 20;
const FIRST_CHOICE: Choice = {
  ms365Option: 'business_standard',
  ms365Users: FIRST_PEOPLE,
  includeCloudBackup: false,
};

interface PlannerProps {
  plans: readonly Plan[];
  prices: AddOnPrices;
}

/**
 * How many people cost how much, line by line. It is a form whose button leads to the checkout with the plan that fits.
 * Its fields are uncontrolled, so that what was chosen before the script came is kept.
 */
export function Planner({ plans, prices }: PlannerProps) {
  const form = useRef<HTMLFormElement>(null);
  const people = useRef<HTMLInputElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const ids = { heading: useId(), people: useId(), hint: useId() };
  const [choice, setChoice] = useState(FIRST_CHOICE);
  /** What is typed is no number of people; the choice has the last one that was. */
  const [refused, setRefused] = useState(false);
  const { ms365Option, ms365Users } = choice;

  /** The slider stands where the last number is that makes sense. */
  function read() {
    if (!form.current || !people.current || !slider.current) return;
    const typed = readCount(people.current.value, MAX_PEOPLE);
    if (typed !== undefined) slider.current.value = String(typed);
    setRefused(typed === undefined);
    setChoice({ ...readAddOns(form.current), ms365Users: Number(slider.current.value) });
  }

  const followSlider = () => {
    if (people.current && slider.current) people.current.value = slider.current.value;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was chosen before the script came
  useEffect(() => {
    // Of number and slider the one that was moved counts.
    if (people.current?.value === String(FIRST_PEOPLE)) followSlider();
    read();
  }, []);

  /** Such as 1e2, which the browser takes for a number. */
  function submit(event: FormEvent) {
    if (!refused) return;
    event.preventDefault();
    people.current?.focus();
  }

  return (
    <form
      ref={form}
      action="/checkout"
      method="get"
      onChange={read}
      onSubmit={submit}
      aria-labelledby={ids.heading}
      className="mt-10 grid gap-y-5 sm:gap-y-8 lg:mt-20 lg:grid-cols-2 lg:rounded-card lg:border lg:border-line"
    >
      <div className="lg:p-10">
        <h3 id={ids.heading} className="text-xl tracking-tight">
          How many people?
        </h3>
        <div className="mt-5 flex items-center gap-5">
          <Slider
            ref={slider}
            aria-labelledby={ids.heading}
            aria-valuetext={peopleOf(ms365Users)}
            min={1}
            max={MAX_PEOPLE}
            defaultValue={FIRST_PEOPLE}
            onChange={followSlider}
            className="min-w-0 flex-1"
          />
          <UsersInput
            ref={people}
            id={ids.people}
            aria-labelledby={ids.heading}
            aria-describedby={ids.hint}
            aria-invalid={refused || undefined}
            max={MAX_PEOPLE}
            required
            defaultValue={FIRST_PEOPLE}
            className="max-w-24"
          />
        </div>
        {/* In one place, so that nothing moves while a visitor types. */}
        <p
          id={ids.hint}
          className={`mt-2 text-sm ${refused ? 'font-medium text-danger' : 'text-muted'}`}
        >
          {refused ? wrongCount(MAX_PEOPLE) : `From 1 to ${MAX_PEOPLE}`}
        </p>
        <PhoneDisclosure
          className="mt-2 border-y border-line md:mt-6 md:border-y-0"
          summary="Microsoft 365 and cloud backup"
        >
          <Microsoft365Field
            legend="Microsoft 365"
            prices={prices}
            unit="per user"
            defaultValue={FIRST_CHOICE.ms365Option}
          />
          {/* It keeps its room: what is below must not move with each option. */}
          <div className={`mt-2 max-md:pb-3 ${ms365Option === 'none' ? 'invisible' : ''}`}>
            <BackupField prices={prices} unit="per user" disabled={ms365Option === 'none'} />
          </div>
        </PhoneDisclosure>
      </div>
      <Answer choice={choice} unknown={refused} plans={plans} prices={prices} />
    </form>
  );
}

interface AnswerProps extends PlannerProps {
  choice: Choice;
  /** Without a valid number the lines are invisible, but keep their places. */
  unknown: boolean;
}

/** The plan that fits, what it comes to, and the way on. */
function Answer({ choice, unknown, plans, prices }: AnswerProps) {
  // Until then the plan is that of the first number, whatever has been chosen.
  const disabled = !useHydrated();
  const people = choice.ms365Users;
  const plan = planFor(people, plans);
  if (!plan) return null;
  const { lines, total } = monthlyPrice(plan, choice, prices);
  const lead = { type: 'submit', name: 'plan', value: plan.id, disabled } as const;
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
            {people > plan.users
              ? `The largest plan, sized for about ${plan.users} users. Above that, we confirm the fit in writing and change nothing without your agreement.`
              : `Sized for about ${plan.users} users.`}
          </p>
          <PriceBreakdown lines={lines} />
        </div>
      </div>
      <output
        aria-live="polite"
        className="mt-5 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-4 text-ink"
      >
        <span className="text-sm font-semibold">
          Monthly total
          {!unknown && (
            <span className="sr-only">{` with ${plan.name} for ${peopleOf(people)}:`}</span>
          )}
        </span>
        <span className="ml-auto text-xl font-semibold tabular-nums">
          {unknown ? '—' : formatDollars(total)}
        </span>
      </output>
      <Button {...lead} size="large" className="mt-5 noscript:hidden">
        Continue with this plan
      </Button>
      <Button
        {...lead}
        formAction="/checkout#save-quote"
        variant="quiet"
        className="mt-3 noscript:hidden"
      >
        Save as a quote
      </Button>
      <p className="mt-4 text-xs text-muted">
        Plan prices are flat, not charged per seat. Microsoft 365 and cloud backup are charged per
        user. Taxes aren’t included.
      </p>
    </div>
  );
}

function peopleOf(count: number): string {
  return `${count} ${count === 1 ? 'person' : 'people'}`;
}
