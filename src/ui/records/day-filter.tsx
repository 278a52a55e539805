import { useId, useState } from 'react';
import { type DayRange, isDay } from '../../platform/list-query.ts';
import { TextInput } from '../fields.tsx';

interface DayFilterProps {
  days: DayRange;
  onChange: (change: Partial<DayRange>) => void;
}

/** Limits a list to the days from one to another, both included. */
export function DayFilter({ days: { from, to }, onChange }: DayFilterProps) {
  return (
    <div className="grid grid-cols-2 gap-3 max-sm:w-full sm:flex">
      <Day label="From" value={from} max={to} onChange={(from) => onChange({ from })} />
      <Day label="To" value={to} min={from} onChange={(to) => onChange({ to })} />
    </div>
  );
}

interface DayProps {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (value: string) => void;
}

/** Keeps what is being typed to itself until it is a day: a year begins as 0002. */
function Day({ label, value, onChange, ...limits }: DayProps) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // The value also changes from outside, as by the back button.
  if (value !== lastValue) {
    setLastValue(value);
    setTyped(value);
  }
  return (
    <div className="flex min-w-0 items-center gap-2 text-sm max-sm:block">
      <label htmlFor={id}>{label}</label>
      <TextInput
        id={id}
        type="date"
        {...limits}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value === '' || isDay(target.value)) onChange(target.value);
        }}
        className="h-11 min-w-0 text-sm sm:w-40"
      />
    </div>
  );
}
