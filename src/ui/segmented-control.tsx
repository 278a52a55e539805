import type { ReactNode } from 'react';
import { useKeptFocus } from './focus.tsx';

interface SegmentedControlProps<Value extends string> {
  label: string;
  value: Value;
  segments: readonly { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
  busy?: boolean;
}

/** A row of buttons, one of them pressed. A choice takes effect at once. */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, value, segments, onChange, busy } = props;
  const keepFocus = useKeptFocus(busy);
  return (
    <fieldset
      aria-label={label}
      className="inline-flex min-w-0 max-w-full flex-wrap rounded-control border border-line bg-surface p-1"
    >
      {segments.map((segment) => (
        <button
          key={segment.value}
          type="button"
          disabled={busy}
          aria-pressed={segment.value === value}
          onClick={(event) => {
            keepFocus(event);
            onChange(segment.value);
          }}
          className="inline-flex h-9 items-center gap-1.5 rounded-md px-3 text-sm font-medium whitespace-nowrap text-body -outline-offset-2 hover:text-ink disabled:opacity-55 aria-pressed:bg-ink aria-pressed:text-surface"
        >
          {segment.label}
        </button>
      ))}
    </fieldset>
  );
}
