import type { ReactNode } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import type { Answer } from './answers.ts';
import type { Check } from './check.ts';

/** One thing at a time on a phone, each a card of its own on a desk. */
export const STEP =
  'scroll-mt-24 rounded-card border border-line bg-surface p-5 sm:p-6 max-md:not-target:hidden';

interface StepProps extends Omit<Check['scope'], 'short'> {
  /** Above the question, such as 'Question 7 of 20'. */
  above: string;
  place: number;
  of: number;
  options: readonly { value: Answer; label: string }[];
  /** What the page came with. */
  given: Answer | undefined;
  /** Addresses on this page. */
  back: string | undefined;
  next: string;
}

/** A question with native radio buttons, which belong to the browser: what was pressed before the script came stays. */
export function CheckStep(props: StepProps) {
  const { id, above, place, of, cite, text, help, options, given, back, next } = props;
  return (
    <div id={`q-${id}`} tabIndex={-1} className={STEP}>
      <fieldset aria-describedby={`help-${id}`}>
        <legend className="contents">
          <span className="flex flex-wrap justify-between gap-x-4 text-xs text-muted">
            <span className="font-medium text-primary-deep tabular-nums">{above}</span>
            <span>16 CFR {cite}</span>
          </span>
          <span className="mt-2 block text-lg font-semibold text-balance text-ink">{text}</span>
        </legend>
        <ProgressBar value={place} max={of} className="mt-3 md:hidden" />
        <p id={`help-${id}`} className="mt-2 text-sm">
          {help}
        </p>
        <div
          className={`mt-4 grid gap-2 ${options.length === 4 ? 'grid-cols-2 md:grid-cols-4 lg:grid-cols-2 xl:grid-cols-4' : 'sm:grid-cols-3'}`}
        >
          {options.map(({ value, label }) => (
            <label
              key={value}
              className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-edge/60 bg-surface px-3 py-2.5 text-sm font-medium text-ink hover:border-edge has-checked:border-primary has-checked:bg-primary-soft has-checked:inset-ring has-checked:inset-ring-primary"
            >
              <input
                type="radio"
                name={id}
                value={value}
                defaultChecked={value === given}
                className="size-5 shrink-0 accent-primary"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <StepLinks back={back}>
        <ButtonLink href={next}>Next</ButtonLink>
      </StepLinks>
    </div>
  );
}

/** Only where one stands at a time. */
export function StepLinks({ back, children }: { back: string | undefined; children?: ReactNode }) {
  return (
    <div className="mt-6 flex flex-row-reverse justify-between gap-3 md:hidden">
      {children ?? <span />}
      {back && (
        <ButtonLink href={back} variant="quiet">
          Back
        </ButtonLink>
      )}
    </div>
  );
}
