/** Search and filters of a list, on a phone behind one button. */
import type { ReactNode } from 'react';
import type { DayRange } from '../../platform/list-query.ts';
import { Button } from '../button.tsx';
import { SearchBox } from '../search-box.tsx';
import { DayFilter } from './day-filter.tsx';

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
  const folded = othersSet + (filter.from || filter.to ? 1 : 0);
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
          <DayFilter days={filter} onChange={onChange} />
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
