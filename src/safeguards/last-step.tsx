import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { Notice } from '../ui/notice.tsx';
import { MAX_STORE, NOTHING_ANSWERED } from './answers.ts';
import { STEP, StepLinks } from './check-step.tsx';
import { FINISH } from './safeguards-address.ts';

interface LastStepProps {
  /** What the page came with. */
  store: string | undefined;
  /** The result was asked for without an answer. */
  refused: boolean;
  /** An address on this page. */
  back: string;
  onClear(): void;
}

export function LastStep({ store, refused, back, onClear }: LastStepProps) {
  return (
    <div id={FINISH.slice(1)} tabIndex={-1} className={STEP}>
      <h2 className="text-lg">See where you stand</h2>
      <p className="mt-2 text-sm">
        A question without an answer counts as not known. You can come back and change any of them.
      </p>
      <div className="mt-5 max-w-sm">
        <Field label="Name on the printed report" optional hint="Such as your store’s name">
          {(control) => (
            <TextInput
              {...control}
              name="store"
              autoComplete="organization"
              maxLength={MAX_STORE}
              defaultValue={store}
            />
          )}
        </Field>
      </div>
      {refused && (
        <div className="mt-5">
          <Notice kind="error">{NOTHING_ANSWERED}.</Notice>
        </div>
      )}
      <Button type="submit" size="large" className="mt-6 max-sm:w-full">
        See the result
      </Button>
      <StepLinks back={back} />
      <Kept onClear={onClear} />
    </div>
  );
}

/** Where the answers are. */
export function Kept({ onClear }: { onClear(): void }) {
  return (
    <div className="mt-5 text-sm">
      <p className="noscript:hidden">
        Your answers stay in this browser tab until you close it. Nothing is sent.
      </p>
      <p className="hidden noscript:block">
        Your browser runs no script here, so our server works out the result. It stores none of your
        answers.
      </p>
      <Button variant="quiet" size="small" onClick={onClear} className="mt-3 noscript:hidden">
        Clear my answers
      </Button>
    </div>
  );
}
