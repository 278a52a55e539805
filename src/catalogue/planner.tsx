import { useEffect, useId, useRef, useState } from 'react';
import { type Cents, cents, formatDollars } from '../platform/money.ts';
import { CHECKOUT_PAGES, HOME_SECTIONS } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { PhoneDisclosure } from '../ui/disclosure.tsx';
import { BackupField, Microsoft365Field, readAddOns, UsersInput } from './add-on-fields.tsx';
import { LIST_PLANS, type Plan } from './catalogue.ts';
import { useLoaded } from './catalogue-list.tsx';
import { PriceBreakdown } from './price-breakdown.tsx';
import {
  type AddOnPrices,
  type Choice,
  cheaperPlan,
  countError,
  monthlyPrice,
  planFor,
  readCount,
  usersInWords,
} from './pricing.ts';

const MAX_PEOPLE = 250;
const DEFAULT_PEOPLE = 20;
const DEFAULT_CHOICE: Choice = {
  ms365Option: 'none',
  ms365Users: DEFAULT_PEOPLE,
  includeCloudBackup: false,
};

interface PlannerProps {
  plans: Plan[];
  prices: AddOnPrices;
}

/**
 * Finds the plan for a number of people, with its price by line, and leads to the checkout. `plans`
 * come with the page; `Plans` fetches newer ones.
 */
export function Planner({ plans, prices }: PlannerProps) {
  const sold = useLoaded(LIST_PLANS, plans);
  return sold.length > 0 && <PlannerForm plans={sold} prices={prices} />;
}

function PlannerForm({ plans, prices }: PlannerProps) {
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const [headingId, hintId] = [useId(), useId()];
  const [choice, setChoice] = useState(DEFAULT_CHOICE);
  const [invalid, setInvalid] = useState<'wrong' | 'many' | false>(false);
  const { ms365Option, ms365Users } = choice;

  /** While the typed number is invalid, the slider and the choice keep the last valid one. */
  function readForm() {
    if (!form.current || !input.current || !slider.current) return;
    const people = readCount(input.current.value, MAX_PEOPLE);
    if (people !== undefined) slider.current.value = String(people);
    const isMany = Number(input.current.value) > MAX_PEOPLE;
    setInvalid(people === undefined && (isMany ? 'many' : 'wrong'));
    setChoice({ ...readAddOns(form.current), ms365Users: Number(slider.current.value) });
  }

  /** Runs before the form's `onChange`, which then reads the new number. */
  function copySliderToInput() {
    if (input.current && slider.current) input.current.value = slider.current.value;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for choices before the script
  useEffect(() => {
    // If the visitor typed no number, the slider counts.
    if (input.current?.value === String(DEFAULT_PEOPLE)) copySliderToInput();
    readForm();
  }, []);

  return (
    <form
      ref={form}
      action={CHECKOUT_PAGES.checkout.path}
      method="get"
      onChange={readForm}
      onSubmit={(event) => {
        // The browser's own validation accepts numbers such as 1e2.
        if (!invalid) return;
        event.preventDefault();
        input.current?.focus();
      }}
      aria-labelledby={headingId}
      className="mt-10 grid gap-y-5 noscript:hidden sm:gap-y-8 lg:mt-20 lg:grid-cols-2 lg:rounded-card lg:border lg:border-line"
    >
      <div className="lg:p-10">
        <h3 id={headingId} className="text-xl tracking-tight">
          How many people?
        </h3>
        <div className="mt-5 flex items-center gap-5">
          {/* A rough way to set the number beside it. */}
          <input
            type="range"
            ref={slider}
            aria-labelledby={headingId}
            aria-valuetext={formatPeople(ms365Users)}
            min={1}
            max={MAX_PEOPLE}
            defaultValue={DEFAULT_PEOPLE}
            onChange={copySliderToInput}
            className="slider min-w-0 flex-1"
          />
          <UsersInput
            ref={input}
            aria-labelledby={headingId}
            aria-describedby={hintId}
            aria-invalid={invalid !== false || undefined}
            max={MAX_PEOPLE}
            required
            defaultValue={DEFAULT_PEOPLE}
            className="max-w-24"
          />
        </div>
        {/* The error replaces the hint, so that nothing moves while a visitor types. */}
        <p
          id={hintId}
          className={`mt-2 text-sm ${invalid ? 'font-medium text-danger' : 'text-muted'}`}
        >
          {invalid === 'many' ? (
            <a href={HOME_SECTIONS.contact.path} className="underline">
              {`More than ${MAX_PEOPLE} people? Ask us for a quote`}
            </a>
          ) : (
            <span>{invalid ? countError(MAX_PEOPLE) : `From 1 to ${MAX_PEOPLE}`}</span>
          )}
        </p>
        <PhoneDisclosure
          className="mt-2 border-y border-line md:mt-6 md:border-y-0"
          summary="Microsoft 365 and cloud backup"
        >
          <Microsoft365Field
            legend="Microsoft 365"
            prices={prices}
            defaultValue={DEFAULT_CHOICE.ms365Option}
          />
          {/* Hidden but not removed, so that nothing below moves. */}
          <div className={`mt-2 max-md:pb-3 ${ms365Option === 'none' ? 'invisible' : ''}`}>
            <BackupField cloudBackup={prices.cloudBackup} disabled={ms365Option === 'none'} />
          </div>
        </PhoneDisclosure>
      </div>
      <PlannerResult choice={choice} invalid={invalid !== false} plans={plans} prices={prices} />
    </form>
  );
}

interface PlannerResultProps extends PlannerProps {
  choice: Choice;
  /** The typed number is invalid: the lines are hidden but keep their space. */
  invalid: boolean;
}

/** The plan that fits, its price, the buttons to the checkout, and the next cheaper plan. */
function PlannerResult({ choice, invalid, plans, prices }: PlannerResultProps) {
  const people = choice.ms365Users;
  const plan = planFor(people, plans);
  if (!plan) return null;
  const price = monthlyPrice(plan, choice, prices);
  const { total } = price;
  const cheaper = cheaperPlan(plan, plans);
  const submit = { type: 'submit', name: 'plan', value: plan.id } as const;
  return (
    <div className="flex flex-col rounded-card bg-paper p-5 sm:p-8 lg:rounded-l-none lg:p-10">
      <div className="grid grid-cols-1 *:col-start-1 *:row-start-1">
        {invalid && (
          <p className="text-sm">Your price shows here once the number of people is right.</p>
        )}
        <div className={invalid ? 'invisible' : undefined}>
          <p className="text-sm text-muted">The plan that fits</p>
          <p className="mt-1 text-xl font-semibold tracking-tight text-ink">{plan.name}</p>
          <p className="mt-1 mb-5 text-sm">
            {people > plan.users
              ? `The largest plan, sized for about ${usersInWords(plan.users)}. Above that, we confirm the fit in writing and change nothing without your agreement.`
              : `Sized for about ${usersInWords(plan.users)}.`}
          </p>
          <PriceBreakdown price={price} />
        </div>
      </div>
      <output
        aria-live="polite"
        className="mt-5 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-4 text-ink"
      >
        <span className="text-sm font-semibold">
          <span>Monthly total</span>
          {!invalid && (
            <span className="sr-only">{` with ${plan.name} for ${formatPeople(people)}:`}</span>
          )}
        </span>
        <span className="ml-auto text-xl font-semibold tabular-nums">
          {invalid ? '—' : formatDollars(total)}
        </span>
      </output>
      <Button {...submit} size="large" className="mt-5">
        Continue with this plan
      </Button>
      <Button
        {...submit}
        formAction={`${CHECKOUT_PAGES.checkout.path}#save-quote`}
        variant="quiet"
        className="mt-3"
      >
        Save as a quote
      </Button>
      {cheaper && !invalid && (
        <CheaperPlan
          plan={cheaper}
          total={monthlyPrice(cheaper, choice, prices).total}
          than={{ ...plan, total }}
          people={people}
        />
      )}
      <p className="mt-4 text-xs text-muted">
        Plan prices are flat, not charged per seat. Microsoft 365 and cloud backup are charged per
        user per month. Taxes aren’t included.
      </p>
    </div>
  );
}

interface CheaperPlanProps {
  plan: Plan;
  total: Cents;
  /** The plan that fits. */
  than: Pick<Plan, 'name' | 'features'> & { total: Cents };
  people: number;
}

function CheaperPlan({ plan, total, than, people }: CheaperPlanProps) {
  const difference = formatDollars(cents(than.total - total));
  // 'Everything in Professional' is no loss.
  const lost = than.features.filter((feature) => !feature.includes(plan.name));
  return (
    <div className="mt-6 border-t border-line pt-5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-ink">
        <span className="font-medium">{`${plan.name} for ${formatPeople(people)}`}</span>
        <span className="tabular-nums">{formatDollars(total)}</span>
      </p>
      <p className="mt-1 text-sm">
        {`${difference} a month less than ${than.name}. Sized for about ${usersInWords(plan.users)}${lost.length > 0 ? `, without: ${lost.join('; ')}` : ''}.`}
      </p>
      <Button
        type="submit"
        name="plan"
        value={plan.id}
        variant="quiet"
        size="small"
        className="mt-3"
      >
        {`Continue with ${plan.name}`}
      </Button>
    </div>
  );
}

function formatPeople(count: number): string {
  return `${count} ${count === 1 ? 'person' : 'people'}`;
}
