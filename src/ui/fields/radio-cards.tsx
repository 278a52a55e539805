import type { ReactNode } from 'react';

interface RadioOption<Value extends string> {
  value: Value;
  label: string;
  detail?: ReactNode;
  /** At the end of the row, such as a price; under the label where the row is short. */
  aside?: ReactNode;
}

interface RadioCardsProps<Value extends string> {
  legend: string;
  name: string;
  defaultValue: Value;
  options: readonly RadioOption<Value>[];
  onChange: (value: Value) => void;
  /** Of the cards, such as two columns of them. */
  className?: string;
}

/**
 * One choice of few, each a card; native inputs, so that arrow keys and screen readers work as everywhere. They are
 * uncontrolled: what was chosen before the script came is kept.
 */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const { legend, name, defaultValue, options, onChange, className = '' } = props;
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-ink">{legend}</legend>
      <div className={`grid gap-2 ${className}`}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control border border-edge/60 bg-surface px-3 py-2.5 sm:px-4 text-sm hover:border-edge has-checked:border-primary has-checked:bg-primary-soft has-checked:inset-ring has-checked:inset-ring-primary"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              defaultChecked={option.value === defaultValue}
              onChange={() => onChange(option.value)}
              className="size-5 shrink-0 accent-primary"
            />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-4">
              <span>
                <span className="block font-medium text-ink">{option.label}</span>
                {option.detail && <span className="block text-body">{option.detail}</span>}
              </span>
              {option.aside && <span className="text-ink tabular-nums">{option.aside}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
