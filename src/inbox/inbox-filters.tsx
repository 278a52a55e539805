/** The filters of the inbox: kind, words, service, days and mark. */
import { SERVICE_CHOICES } from '../contact/contact.ts';
import { countOf } from '../platform/list-query.ts';
import { THREAD_MARKS, type ThreadMark } from '../threads/thread.ts';
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
  return (
    <search className="contents">
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
      <SearchBox
        placeholder="Name, email, message, or number"
        value={filter.search}
        onChange={(search) => onChange({ search })}
      />
      {filter.kind !== 'chat' && (
        <div className="max-sm:w-full">
          <Select
            aria-label="Service"
            value={filter.service}
            onChange={(event) => onChange({ service: event.target.value })}
            className="h-11 text-sm sm:max-w-60"
          >
            <option value="">All services</option>
            {Object.entries(SERVICE_CHOICES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
            <option value="none">Not specified</option>
          </Select>
        </div>
      )}
      <DayFilter days={filter} onChange={onChange} />
      <div className="max-lg:basis-full">
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
    </search>
  );
}

function Counted({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      <span>{label}</span>{' '}
      <span className="font-normal tabular-nums opacity-80">{count ?? '…'}</span>
    </>
  );
}
