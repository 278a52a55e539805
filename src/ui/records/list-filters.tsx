/** Search and filters of a list, on a phone behind one button. */
import Search from 'lucide-react/icons/search';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { type DayRange, isDay, searchText } from '../../platform/list-query.ts';
import { Button } from '../button.tsx';
import { TextInput } from '../fields.tsx';

interface ListFiltersProps {
  placeholder: string;
  filter: DayRange & { search: string };
  onChange: (change: Partial<DayRange & { search: string }>) => void;
  /** The filter that is used most. */
  first: ReactNode;
  isFirstSet: boolean;
  /** Others, which are behind a button on a desktop, too. */
  children?: ReactNode;
  /** How many of those are set. */
  othersSet?: number;
}

export function ListFilters(props: ListFiltersProps) {
  const { placeholder, filter, onChange, first, isFirstSet, children, othersSet = 0 } = props;
  const { from, to } = filter;
  const folded = othersSet + (from || to ? 1 : 0);
  const all = folded + (filter.search ? 1 : 0) + (isFirstSet ? 1 : 0);
  return (
    <search className="contents">
      <Button variant="quiet" size="small" popoverTarget="filters" className="lg:hidden">
        {filtersSet(all)}
      </Button>
      <div
        id="filters"
        popover="auto"
        className={`inset-x-0 top-0 m-0 w-full max-w-none gap-4 lg:contents ${SHEET}`}
      >
        <SearchBox
          placeholder={placeholder}
          value={filter.search}
          onChange={(search) => onChange({ search })}
        />
        <div className="lg:shrink-0">{first}</div>
        <Button variant="quiet" size="small" popoverTarget="more-filters" className="max-lg:hidden">
          {filtersSet(folded)}
        </Button>
        <div
          id="more-filters"
          popover="auto"
          className={`gap-4 max-lg:static max-lg:grid max-lg:w-full max-lg:bg-transparent lg:w-auto lg:rounded-card lg:border lg:border-line lg:supports-[position-area:bottom]:my-2 lg:supports-[position-area:bottom]:mx-0 lg:supports-[position-area:bottom]:[position-area:bottom_span-left] ${SHEET_AT_DESK}`}
        >
          {children}
          <div className="grid grid-cols-2 gap-3 max-sm:w-full sm:flex">
            <Day label="From" value={from} max={to} onChange={(from) => onChange({ from })} />
            <Day label="To" value={to} min={from} onChange={(to) => onChange({ to })} />
          </div>
        </div>
        <Button
          size="small"
          popoverTarget="filters"
          popoverTargetAction="hide"
          className="lg:hidden"
        >
          Show the list
        </Button>
      </div>
    </search>
  );
}

const filtersSet = (count: number) => (count > 0 ? `Filters ${count}` : 'Filters');

const SHEET = 'bg-surface p-4 text-body shadow-raised open:grid backdrop:bg-night/40';
const SHEET_AT_DESK = 'lg:bg-surface lg:p-4 lg:text-body lg:shadow-raised lg:open:grid';

const DEBOUNCE_MS = 250;

interface SearchBoxProps {
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

function SearchBox({ placeholder, value, onChange }: SearchBoxProps) {
  const [typed, setTyped] = useTyped(value);
  const search = searchText(typed);
  useEffect(() => {
    if (search === value) return;
    const timer = setTimeout(() => onChange(search), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [search, value, onChange]);

  return (
    <span className="relative block w-full sm:w-72">
      <Search className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
      <TextInput
        type="search"
        aria-label="Search"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="pl-9 text-ellipsis lg:h-10 lg:text-sm [&::-webkit-search-cancel-button]:hidden"
      />
    </span>
  );
}

/** What is typed, until the value changes from outside, as by the back button. */
function useTyped(value: string) {
  const [typed, setTyped] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (value !== lastValue) {
    setLastValue(value);
    if (searchText(typed) !== value) setTyped(value);
  }
  return [typed, setTyped] as const;
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
  const [typed, setTyped] = useTyped(value);
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
        className="min-w-0 sm:w-40 lg:h-10 lg:text-sm"
      />
    </div>
  );
}
