/** The filters of the inbox: kind, words, service, days and mark. */
import { SERVICE_CHOICES } from '../contact/contact.ts';
import { countOf } from '../platform/list-query.ts';
import { THREAD_MARKS, type ThreadMark } from '../threads/thread.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/fields.tsx';
import { DayFilter } from '../ui/records/day-filter.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { type InboxFilter, MARK_LABELS, type MarkCounts } from './inbox-api.ts';

interface InboxFiltersProps {
  filter: InboxFilter;
  counts: MarkCounts | undefined;
  onChange: (change: Partial<InboxFilter>) => void;
}

export function InboxFilters({ filter, counts, onChange }: InboxFiltersProps) {
  const set = [filter.kind, filter.search, filter.service, filter.mark, filter.from || filter.to];
  const words = ['Filters', set.filter(Boolean).length || ''].join(' ').trim();
  return (
    <search className="contents">
      <Button variant="quiet" size="small" popoverTarget="filters" className="lg:hidden">
        {words}
      </Button>
      {/* Behind that button on a phone, in the bar on a desktop. */}
      <div
        id="filters"
        popover="auto"
        className={`inset-x-0 top-0 m-0 w-full max-w-none gap-4 lg:contents ${SHEET}`}
      >
        <SearchBox
          placeholder="Name, email, message, or number"
          value={filter.search}
          onChange={(search) => onChange({ search })}
        />
        <div className="lg:shrink-0 lg:[&_button]:h-8 lg:[&_button]:px-2 lg:[&_button]:text-xs">
          <SegmentedControl
            label="Marked"
            value={filter.mark}
            segments={[
              {
                value: '',
                label: <Counted label="All" count={counts && countOf<ThreadMark>(counts, '')} />,
              },
              ...THREAD_MARKS.map((mark) => ({
                value: mark,
                label: <Counted label={MARK_LABELS[mark]} count={counts?.[mark]} />,
              })),
            ]}
            onChange={(mark) => onChange({ mark })}
          />
        </div>
        <Button variant="quiet" size="small" popoverTarget="more-filters" className="max-lg:hidden">
          {words}
        </Button>
        <div
          id="more-filters"
          popover="auto"
          className={`gap-4 max-lg:static max-lg:grid max-lg:w-full max-lg:bg-transparent lg:w-auto lg:rounded-card lg:border lg:border-line lg:supports-[position-area:bottom]:my-2 lg:supports-[position-area:bottom]:mx-0 lg:supports-[position-area:bottom]:[position-area:bottom_span-left] ${SHEET_AT_DESK}`}
        >
          <SegmentedControl
            label="Kind"
            value={filter.kind}
            segments={[
              { value: '', label: 'All' },
              { value: 'contact', label: 'Contact messages' },
              { value: 'chat', label: 'Chats' },
            ]}
            onChange={(kind) => onChange({ kind, service: '' })}
          />
          {filter.kind !== 'chat' && (
            <Select
              aria-label="Service"
              value={filter.service}
              onChange={(event) => onChange({ service: event.target.value })}
              className="h-11 text-sm"
            >
              <option value="">All services</option>
              {Object.entries(SERVICE_CHOICES).map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
              <option value="none">Not specified</option>
            </Select>
          )}
          <DayFilter days={filter} onChange={onChange} />
        </div>
        <Button
          size="small"
          popoverTarget="filters"
          popoverTargetAction="hide"
          className="lg:hidden"
        >
          Show messages
        </Button>
      </div>
    </search>
  );
}

const SHEET = 'bg-surface p-4 text-body shadow-raised open:grid backdrop:bg-night/40';
const SHEET_AT_DESK = 'lg:bg-surface lg:p-4 lg:text-body lg:shadow-raised lg:open:grid';

function Counted({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      <span>{label}</span>{' '}
      <span className="font-normal tabular-nums opacity-80">{count ?? '…'}</span>
    </>
  );
}
