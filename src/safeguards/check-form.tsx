/** The questions. Without script the browser posts them, and the server answers with the result. */
import { type FormEvent, type RefObject, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { ANSWER_LABELS, ANSWERS, type Filled, NOTHING_ANSWERED } from './answers.ts';
import type { Check } from './check.ts';
import { CheckStep } from './check-step.tsx';
import { Kept, LastStep } from './last-step.tsx';
import { FINISH, RESULT, SAFEGUARDS, stepOf } from './safeguards-address.ts';

const CHOICES = ANSWERS.map((value) => ({ value, label: ANSWER_LABELS[value] }));
const SIZES = [
  { value: 'yes', label: '5,000 or more' },
  { value: 'no', label: 'Fewer than 5,000' },
  { value: 'unsure', label: 'Not sure' },
] as const;

/** The address names the one that is shown where there is room for one; the first where it names none. */
const ONE_AT_A_TIME = 'grid gap-4 max-md:not-has-[>:target]:[&>:first-child]:block';

interface CheckFormProps {
  ref: RefObject<HTMLFormElement | null>;
  check: Check;
  /** What the page came with. */
  sent: Filled | null;
  /** How many questions have an answer. */
  answered: number;
  hidden: boolean;
  onChange(): void;
  onClear(): void;
}

export function CheckForm(props: CheckFormProps) {
  const { ref, check, sent, answered, hidden, onChange, onClear } = props;
  const { scope, questions } = check;
  const [empty, setEmpty] = useState(false);
  const refused = empty && answered === 0;
  const given = sent?.answers ?? {};

  function submit(event: FormEvent) {
    event.preventDefault();
    onChange();
    const nothing = answered === 0;
    setEmpty(nothing);
    if (!nothing) window.location.hash = RESULT;
  }

  const before = (place: number) => stepOf((questions[place - 1] ?? scope).id);
  const after = (place: number) => {
    const next = questions[place + 1];
    return next ? stepOf(next.id) : FINISH;
  };
  return (
    <form
      ref={ref}
      method="post"
      action={SAFEGUARDS.path}
      hidden={hidden}
      onChange={onChange}
      onSubmit={submit}
      aria-label="Self-check"
      className={`grid-cols-12 gap-x-8 print:hidden ${hidden ? '' : 'lg:grid'}`}
    >
      <div className={`col-span-8 ${ONE_AT_A_TIME}`}>
        <CheckStep
          {...scope}
          above="First, your size"
          place={0}
          of={questions.length}
          options={SIZES}
          given={given[scope.id]}
          back={undefined}
          next={stepOf(questions[0]?.id ?? '')}
        />
        {questions.map((question, place) => (
          <CheckStep
            key={question.id}
            {...question}
            above={`Question ${place + 1} of ${questions.length}`}
            place={place + 1}
            of={questions.length}
            options={CHOICES}
            given={given[question.id]}
            back={before(place)}
            next={after(place)}
          />
        ))}
        <LastStep
          store={sent?.store}
          refused={refused}
          back={stepOf(questions.at(-1)?.id ?? '')}
          onClear={onClear}
        />
      </div>
      <div className="col-span-4 max-lg:hidden">
        <div className="sticky top-28 rounded-card border border-line bg-paper p-6">
          <p role="status" className="text-lg font-semibold text-ink tabular-nums noscript:hidden">
            {answered} of {questions.length + 1} answered
          </p>
          <ProgressBar
            value={answered}
            max={questions.length + 1}
            className="mt-2 noscript:hidden"
          />
          <Button type="submit" className="mt-5 w-full">
            See the result
          </Button>
          {refused && <p className="mt-3 text-sm font-medium text-danger">{NOTHING_ANSWERED}.</p>}
          <Kept onClear={onClear} />
        </div>
      </div>
    </form>
  );
}
