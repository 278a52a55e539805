import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { type Cents, formatDollars } from '../platform/money.ts';
import { Checkbox, RadioCards, Slider, TextInput } from '../ui/fields.tsx';
import type { SoldPlan } from './catalogue.ts';
import { PhoneFold } from './phone-fold.tsx';
import { answerFor, FIRST_CHOICE, MAX_PEOPLE, readPeople, WRONG_PEOPLE } from './planner.ts';
import { PlannerAnswer } from './planner-answer.tsx';
import { type AddOnPrices, type Choice, MS365_OPTIONS, USERS_PARAMETER } from './pricing.ts';
import { useFieldValue } from './use-field-value.ts';

interface PlannerProps {
  plans: readonly SoldPlan[];
  prices: AddOnPrices;
}

const FIRST_PEOPLE = String(FIRST_CHOICE.ms365Users);

interface Planned {
  choice: Choice;
  /** The number of people as it is typed; the choice has the last one that makes sense. */
  typed: string;
}

/**
 * How many people cost how much, line by line. It is a form that leads to the checkout: with script its button names the
 * plan that fits, without script the visitor chooses it.
 */
export function PlannerPanel({ plans, prices }: PlannerProps) {
  const form = useRef<HTMLFormElement>(null);
  const people = useRef<HTMLInputElement>(null);
  const slider = useRef<HTMLInputElement>(null);
  const ids = { heading: useId(), people: useId(), hint: useId() };
  const [{ choice, typed }, setPlanned] = useState<Planned>({
    choice: FIRST_CHOICE,
    typed: FIRST_PEOPLE,
  });
  const { ms365Option, ms365Users } = choice;
  const refused = readPeople(typed) === undefined;
  useFieldValue(people, typed);
  useFieldValue(slider, String(ms365Users));

  useEffect(() => {
    if (form.current) setPlanned(readForm(form.current));
  }, []);

  const answer = answerFor(choice, plans, prices);
  if (!answer) return null;

  const type = (text: string) =>
    setPlanned({ typed: text, choice: { ...choice, ms365Users: readPeople(text) ?? ms365Users } });
  const change = (part: Partial<Choice>) => setPlanned({ typed, choice: { ...choice, ...part } });

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
            aria-valuetext={`${ms365Users} ${ms365Users === 1 ? 'person' : 'people'}`}
            min={1}
            max={MAX_PEOPLE}
            defaultValue={FIRST_PEOPLE}
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
            required
            defaultValue={FIRST_PEOPLE}
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
            defaultValue={FIRST_CHOICE.ms365Option}
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
              disabled={ms365Option === 'none'}
              onChange={({ target }) => change({ includeCloudBackup: target.checked })}
              label={prices.cloudBackup.label}
              detail={`Daily copies of mailboxes and files, ${perUser(prices.cloudBackup.pricePerUser)}`}
            />
          </div>
        </PhoneFold>
      </div>
      <PlannerAnswer answer={answer} people={refused ? undefined : ms365Users} plans={plans} />
    </form>
  );
}

/** What was chosen before the script came. The slider has no name: it counts where it was moved and the field was not. */
function readForm(form: HTMLFormElement): Planned {
  const fields = new FormData(form);
  const option = MS365_OPTIONS.find((each) => each === fields.get('microsoft365'));
  const slid = form.querySelector<HTMLInputElement>('[type="range"]')?.value ?? FIRST_PEOPLE;
  const field = String(fields.get(USERS_PARAMETER) ?? FIRST_PEOPLE);
  const typed = field === FIRST_PEOPLE ? slid : field;
  return {
    typed,
    choice: {
      ms365Option: option ?? FIRST_CHOICE.ms365Option,
      ms365Users: readPeople(typed) ?? FIRST_CHOICE.ms365Users,
      includeCloudBackup: fields.has('cloud_backup'),
    },
  };
}

function perUser(price: Cents): string {
  return `${formatDollars(price)} per user`;
}
