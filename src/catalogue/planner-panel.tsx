import { type FormEvent, useId, useRef } from 'react';
import { type Cents, formatDollars } from '../platform/money.ts';
import { Checkbox } from '../ui/fields/checkbox.tsx';
import { RadioCards } from '../ui/fields/radio-cards.tsx';
import { Slider } from '../ui/fields/slider.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import type { SoldPlan } from './catalogue.ts';
import { PhoneFold } from './phone-fold.tsx';
import { answerFor, MAX_PEOPLE, WRONG_PEOPLE } from './planner.ts';
import { PlannerAnswer } from './planner-answer.tsx';
import { type AddOnPrices, checkoutQuery, MS365_OPTIONS, USERS_PARAMETER } from './pricing.ts';
import { usePlanner } from './use-planner.ts';

interface PlannerProps {
  plans: readonly SoldPlan[];
  prices: AddOnPrices;
}

/** Answers how many people cost how much, line by line. Without script it is a form that leads to the checkout. */
export function PlannerPanel({ plans, prices }: PlannerProps) {
  const form = useRef<HTMLFormElement>(null);
  const people = useRef<HTMLInputElement>(null);
  const ids = { heading: useId(), people: useId(), hint: useId() };
  const { choice, typed, refused, type, change } = usePlanner(form);
  const { ms365Option, ms365Users, includeCloudBackup } = choice;
  const answer = answerFor(choice, plans, prices);
  if (!answer) return null;
  const address = `/checkout?${checkoutQuery(answer.plan.id, choice)}`;

  /** Enter in a field goes where the link leads. */
  function submit(event: FormEvent) {
    event.preventDefault();
    if (refused) people.current?.focus();
    else window.location.assign(address);
  }

  return (
    <form
      ref={form}
      action="/checkout"
      method="get"
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
            aria-labelledby={ids.heading}
            aria-valuetext={`${ms365Users} ${ms365Users === 1 ? 'person' : 'people'}`}
            min={1}
            max={MAX_PEOPLE}
            value={ms365Users}
            onChange={({ target }) => type(target.value)}
            className="min-w-0 flex-1"
          />
          <TextInput
            ref={people}
            id={ids.people}
            aria-labelledby={ids.heading}
            aria-describedby={ids.hint}
            aria-invalid={refused || undefined}
            type="number"
            name={USERS_PARAMETER}
            inputMode="numeric"
            min={1}
            max={MAX_PEOPLE}
            step={1}
            value={typed}
            onChange={({ target }) => type(target.value)}
            className="max-w-24 tabular-nums"
          />
        </div>
        {/* In one place, so that nothing moves while somebody types. */}
        <p
          id={ids.hint}
          className={`mt-2 text-sm ${refused ? 'font-medium text-danger' : 'text-muted'}`}
        >
          {refused ? WRONG_PEOPLE : `From 1 to ${MAX_PEOPLE}`}
        </p>
        <PhoneFold
          className="mt-2 border-y border-line md:mt-6 md:border-y-0"
          summary="Microsoft 365 and cloud backup"
        >
          <RadioCards
            legend="Microsoft 365"
            name="microsoft365"
            value={ms365Option}
            options={MS365_OPTIONS.map((option) => ({
              value: option,
              label: prices.microsoft365[option].label,
              aside:
                option === 'none' ? undefined : perUser(prices.microsoft365[option].pricePerUser),
            }))}
            onChange={(option) => change({ ms365Option: option })}
          />
          {/* It keeps its room: what is below must not move with each option. */}
          <div className={`mt-2 max-md:pb-3 ${ms365Option === 'none' ? 'invisible' : ''}`}>
            <Checkbox
              name="cloud_backup"
              value="true"
              checked={includeCloudBackup}
              disabled={ms365Option === 'none'}
              onChange={({ target }) => change({ includeCloudBackup: target.checked })}
              label={prices.cloudBackup.label}
              detail={`Daily copies of mailboxes and files, ${perUser(prices.cloudBackup.pricePerUser)}`}
            />
          </div>
        </PhoneFold>
      </div>
      <PlannerAnswer
        answer={answer}
        people={refused ? undefined : ms365Users}
        plans={plans}
        address={refused ? `#${ids.people}` : address}
        onRefused={() => people.current?.focus()}
      />
    </form>
  );
}

function perUser(price: Cents): string {
  return `${formatDollars(price)} per user`;
}
