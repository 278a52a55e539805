import { SERVICE_CHOICES } from '../contact/contact-fields.ts';
import { totalOf } from '../platform/list-query.ts';
import { SearchBox } from '../ui/fields/search-box.tsx';
import { Select } from '../ui/fields/select.tsx';
import { Segments } from '../ui/text/segments.tsx';
import type { MarkCounts } from './inbox.ts';
import { type InboxFilter, type InboxList, MARK_LABELS, MARKS, type Mark } from './inbox.ts';

interface InboxFiltersProps {
  list: InboxList;
  filter: InboxFilter;
  counts: MarkCounts | undefined;
  onChange: (change: Partial<InboxFilter>) => void;
}

export function InboxFilters({ list, filter, counts, onChange }: InboxFiltersProps) {
  return (
    <search className="flex min-w-0 flex-wrap max-sm:w-full items-center gap-3">
      <SearchBox
        placeholder="Name, email, text, or number"
        words={filter.words}
        onChange={(words) => onChange({ words })}
      />
      {list === 'contacts' && (
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
      <div className="max-lg:basis-full">
        <Segments
          label="Marked"
          value={filter.mark}
          segments={[
            {
              value: '',
              label: <Counted label="All" count={counts && totalOf<Mark>(counts, '')} />,
            },
            ...MARKS.map((mark) => ({
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
      {label} <span className="font-normal tabular-nums opacity-80">{count ?? '…'}</span>
    </>
  );
}
