import { type ComponentProps, type FormEvent, type RefObject, useState } from 'react';
import { MAX_STORE_NAME } from '../limits.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Field, RADIO, RADIO_CARD, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import {
  ANSWERS,
  type Answer,
  type Answers,
  type Check,
  NOTHING_ANSWERED,
  RESULT,
  stepOf,
} from './check.ts';
import { ANSWER_LABELS } from './score.ts';

const FINISH = '#finish';
const PRIVATE = 'Your answers stay in this browser tab until you close it. Nothing is sent.';
const CHOICES = {
  options: ANSWERS.map((value) => ({ value, label: ANSWER_LABELS[value] })),
  columns: 'grid-cols-2 md:grid-cols-4 lg:grid-cols-2 xl:grid-cols-4',
};
const SIZES = {
  options: [
    { value: 'yes', label: '5,000 or more' },
    { value: 'no', label: 'Fewer than 5,000' },
    { value: 'unsure', label: 'Not sure' },
  ],
  columns: 'sm:grid-cols-3',
} as const;

/** On a phone, shows the step named by the URL's fragment, or else the first. */
const ONE_AT_A_TIME = 'group/steps grid gap-4';
const STEP =
  'scroll-mt-24 rounded-card border border-line bg-surface p-5 sm:p-6 max-md:not-target:not-first:hidden max-md:not-target:group-has-[>:target]/steps:hidden';

interface CheckFormProps {
  ref: RefObject<HTMLFormElement | null>;
  check: Check;
  answers: Answers;
  hidden: boolean;
  onChange(): void;
  onClear(): void;
}

export function CheckForm(props: CheckFormProps) {
  const { ref, check, answers, hidden, onChange, onClear } = props;
  const { scope, questions } = check;
  const isEmpty = Object.keys(answers).length === 0;
  const [refused, setRefused] = useState(false);
  const answered = questions.filter(({ id }) => answers[id]).length;
  const steps = [
    { ...scope, ...SIZES, above: 'First, your size' },
    ...questions.map((question, position) => ({
      ...question,
      ...CHOICES,
      above: `Question ${position + 1} of ${questions.length}`,
    })),
  ];
  const fragments = [...steps.map(({ id }) => stepOf(id)), FINISH];

  function submit(event: FormEvent) {
    event.preventDefault();
    onChange();
    setRefused(isEmpty);
    if (!isEmpty) window.location.hash = RESULT;
  }

  return (
    <form
      ref={ref}
      hidden={hidden}
      onChange={onChange}
      onSubmit={submit}
      aria-label="Self-check"
      className={`grid-cols-12 gap-x-8 print:hidden ${hidden ? '' : 'lg:grid'}`}
    >
      <div className={`col-span-8 ${ONE_AT_A_TIME}`}>
        {steps.map((step, position) => (
          <CheckStep
            key={step.id}
            {...step}
            position={position}
            of={questions.length}
            back={fragments[position - 1]}
            next={fragments[position + 1]}
          />
        ))}
        <div id={FINISH.slice(1)} tabIndex={-1} className={STEP}>
          <h2 className="text-lg">See where you stand</h2>
          <p className="mt-2 text-sm">
            A question without an answer counts as not known. You can come back and change any of
            them.
          </p>
          <div className="mt-5 max-w-sm">
            <Field label="Name on the printed report" optional hint="Such as your store’s name">
              <TextInput name="store" autoComplete="organization" maxLength={MAX_STORE_NAME} />
            </Field>
          </div>
          {refused && isEmpty && (
            <div className="mt-5">
              <Notice kind="error">{`${NOTHING_ANSWERED}.`}</Notice>
            </div>
          )}
          <Button type="submit" size="large" className="mt-6 max-sm:w-full noscript:hidden">
            See the result
          </Button>
          <StepLinks back={fragments.at(-2)} />
          <p className="mt-5 text-sm noscript:hidden lg:hidden">{PRIVATE}</p>
          <p className="mt-5 hidden text-sm noscript:block">
            This page needs JavaScript to work out the result. Please turn it on, or call us and
            we’ll go through the questions with you.
          </p>
          <Button variant="quiet" size="small" onClick={onClear} className="mt-3 noscript:hidden">
            Clear my answers
          </Button>
        </div>
      </div>
      <div className="col-span-4 max-lg:hidden">
        <div className="sticky top-28 short:static rounded-card border border-line bg-paper p-6">
          <p role="status" className="text-lg font-semibold text-ink tabular-nums noscript:hidden">
            {`${answered} of ${questions.length} answered`}
          </p>
          <ProgressBar value={answered} max={questions.length} className="mt-2 noscript:hidden" />
          <p className="mt-5 text-sm noscript:hidden">{PRIVATE}</p>
        </div>
      </div>
    </form>
  );
}

interface StepProps extends Omit<Check['scope'], 'short'> {
  /** The line above the question, for example 'Question 7 of 20'. */
  above: string;
  position: number;
  of: number;
  options: readonly { value: Answer; label: string }[];
  columns: string;
  back: string | undefined;
  next: string | undefined;
}

/** Uses uncontrolled radio buttons, so that answers given before hydration are kept. */
function CheckStep(props: StepProps) {
  const { id, above, position, of, cite, text, help, options, columns, back, next } = props;
  return (
    <div id={`q-${id}`} tabIndex={-1} className={STEP}>
      <fieldset aria-describedby={`help-${id}`}>
        <legend className="contents">
          <span className="flex flex-wrap justify-between gap-x-4 text-xs text-muted">
            <span className="font-medium text-primary-deep tabular-nums">{above}</span>
            <span>{`16 CFR ${cite}`}</span>
          </span>
          <span className="mt-2 block text-lg font-semibold text-balance text-ink">{text}</span>
        </legend>
        <ProgressBar value={position} max={of} className="mt-3 md:hidden" />
        <p id={`help-${id}`} className="mt-2 text-sm">
          {help}
        </p>
        <div className={`mt-4 grid gap-2 ${columns}`}>
          {options.map(({ value, label }) => (
            <label key={value} className={`${RADIO_CARD} font-medium text-ink`}>
              <input type="radio" name={id} value={value} className={RADIO} />
              <span>{label}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <StepLinks back={back} next={next} />
    </div>
  );
}

/** Hidden from screen readers: the text beside it says the same. */
function ProgressBar({ className, ...rest }: ComponentProps<'progress'>) {
  return (
    <progress
      aria-hidden="true"
      className={`block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-paper-deep [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-paper-deep [&::-webkit-progress-value]:bg-primary ${className}`}
      {...rest}
    />
  );
}

/** Shown only on a phone, which has one step at a time. */
function StepLinks({ back, next }: Partial<Pick<StepProps, 'back' | 'next'>>) {
  return (
    <div className="mt-6 flex flex-row-reverse justify-between gap-3 md:hidden">
      {next ? <ButtonLink href={next}>Next</ButtonLink> : <span />}
      {back && (
        <ButtonLink href={back} variant="quiet">
          Back
        </ButtonLink>
      )}
    </div>
  );
}
