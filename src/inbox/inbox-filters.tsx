/** The filters of the inbox: words, status, kind, service and days. */
import { MAX_LISTED } from '../limits.ts';
import { countOf } from '../platform/list-query.ts';
import { useSite } from '../platform/site.ts';
import { THREAD_STATUSES, type ThreadStatus } from '../threads/thread.ts';
import { Select } from '../ui/fields.tsx';
import { ListFilters } from '../ui/records/list-filters.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { type InboxFilter, STATUS_LABELS, type StatusCounts } from './inbox-api.ts';

interface InboxFiltersProps {
  filter: InboxFilter;
  counts: StatusCounts | undefined;
  onChange: (change: Partial<InboxFilter>) => void;
}

export function InboxFilters({ filter, counts, onChange }: InboxFiltersProps) {
  const { kind, service, status } = filter;
  const { contactServices } = useSite().company;
  return (
    <ListFilters
      placeholder="Name, email, message, or number"
      filter={filter}
      onChange={onChange}
      isFirstSet={status !== ''}
      othersSet={[kind, service].filter(Boolean).length}
      first={
        <div className="lg:[&_button]:h-8 lg:[&_button]:px-2 lg:[&_button]:text-xs">
          <SegmentedControl
            label="Marked"
            value={status}
            segments={[
              {
                value: '',
                label: <Counted label="All" count={counts && countOf<ThreadStatus>(counts, '')} />,
              },
              ...THREAD_STATUSES.map((each) => ({
                value: each,
                label: <Counted label={STATUS_LABELS[each]} count={counts?.[each]} />,
              })),
            ]}
            onChange={(chosen) => onChange({ status: chosen })}
          />
        </div>
      }
    >
      <SegmentedControl
        label="Kind"
        value={kind}
        segments={[
          { value: '', label: 'All' },
          { value: 'contact', label: 'Contact messages' },
          { value: 'chat', label: 'Chats' },
        ]}
        onChange={(chosen) => onChange({ kind: chosen, service: '' })}
      />
      {kind !== 'chat' && (
        <Select
          aria-label="Service"
          value={service}
          onChange={({ target }) => onChange({ service: target.value })}
          className="lg:h-10 lg:text-sm"
        >
          <option value="">All services</option>
          {Object.entries(contactServices).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          <option value="none">Not specified</option>
        </Select>
      )}
    </ListFilters>
  );
}

function Counted({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      <span>{label}</span>{' '}
      <span className="font-normal tabular-nums opacity-80">
        {count === undefined ? '…' : count < MAX_LISTED ? count : `${MAX_LISTED}+`}
      </span>
    </>
  );
}
