import { SearchBox } from '../fields/search-box.tsx';
import { Select } from '../fields/select.tsx';

interface SearchAndStatusProps<Status extends string> {
  words: string;
  /** '' for any. */
  status: Status | '';
  /** Each with its label, in the order in which they are offered. */
  labels: Readonly<Record<Status, string>>;
  statuses: readonly Status[];
  /** How many records have each. */
  counts: Partial<Record<Status, number>> | undefined;
  onWords: (words: string) => void;
  onStatus: (status: Status | '') => void;
}

/** What narrows down a list of things that are bought: words, and where each stands. */
export function SearchAndStatus<Status extends string>(props: SearchAndStatusProps<Status>) {
  const { words, status, labels, statuses, counts, onWords, onStatus } = props;
  return (
    <search className="flex flex-wrap items-center gap-3">
      <SearchBox
        placeholder="Name, company, email, plan, number"
        words={words}
        onChange={onWords}
      />
      <div className="max-sm:w-full">
        <Select
          aria-label="Status"
          value={status}
          onChange={({ target }) => onStatus(statuses.find((each) => each === target.value) ?? '')}
          className="h-11 text-sm"
        >
          <option value="">Any status</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {labels[each]} ({counts?.[each] ?? 0})
            </option>
          ))}
        </Select>
      </div>
    </search>
  );
}
