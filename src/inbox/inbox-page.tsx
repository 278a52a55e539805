/** /admin: what visitors wrote, by contact form and by chat, and what became of it. */

import { SERVICE_CHOICES } from '../contact/contact.ts';
import { OutboxSection } from '../notifications/outbox-section.tsx';
import { useReload } from '../platform/browser/use-reload.ts';
import { totalOf } from '../platform/list-query.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { SearchBox } from '../ui/fields/search-box.tsx';
import { Select } from '../ui/fields/select.tsx';
import { Pager } from '../ui/pager.tsx';
import { ListAndDetail } from '../ui/records/list-and-detail.tsx';
import { useListAddress } from '../ui/records/use-list-address.ts';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { Segments } from '../ui/text/segments.tsx';
import { Workbench } from '../ui/workbench.tsx';
import { ConversationDetail, ConversationList } from './conversations.tsx';
import {
  INBOX_PAGE,
  type InboxFilter,
  type InboxList,
  MARK_LABELS,
  MARKS,
  type Mark,
  type MarkCounts,
  NOTIFICATION_WORDS,
  readAddress,
  readFilter,
  writeAddress,
} from './inbox.ts';
import { SubmissionDetail, SubmissionList } from './submissions.tsx';
import { useCounts, useMinimumCount } from './use-inbox.ts';

const LISTS = {
  contacts: { label: 'Contact messages', List: SubmissionList, OpenDetail: SubmissionDetail },
  conversations: {
    label: 'Chat conversations',
    List: ConversationList,
    OpenDetail: ConversationDetail,
  },
};

export default function InboxPage() {
  const { address, go } = useListAddress(readAddress, writeAddress);
  const { list, filter, open } = address;
  const { List, OpenDetail } = LISTS[list];
  const { data, isError: uncounted } = useCounts(filter);
  const counts = data?.[list] ?? undefined;
  const minimum = useMinimumCount(list, filter);
  const close = () => {
    if (open !== null) go({ open: null }, { replace: true });
  };

  return (
    <Workbench heading={STAFF_PAGES.inbox.title} actions={<Actions />}>
      <FailureBoundary>
        <OutboxSection words={NOTIFICATION_WORDS} />
      </FailureBoundary>
      <ListAndDetail
        open={open}
        filters={
          <>
            <Segments
              label="List"
              value={list}
              segments={[
                { value: 'contacts', label: LISTS.contacts.label },
                { value: 'conversations', label: LISTS.conversations.label },
              ]}
              onChange={(value) =>
                go({ list: value, open: null, filter: { ...filter, mark: '', page: 1 } })
              }
            />
            <InboxFilters
              list={list}
              filter={filter}
              counts={counts}
              onChange={(change) =>
                go({ open: null, filter: { ...filter, page: 1, ...change } }, { replace: true })
              }
            />
          </>
        }
        list={
          <List
            filter={filter}
            open={open}
            onOpen={(id) => go({ open: id })}
            onClear={() => go({ filter: readFilter(new URLSearchParams()) })}
          />
        }
        detail={(id) => <OpenDetail id={id} filter={filter} onClose={close} />}
      />
      <Pager
        page={filter.page}
        pageSize={INBOX_PAGE}
        total={counts ? totalOf(counts, filter.mark) : uncounted ? minimum : 0}
        atLeast={!counts}
        onChange={(page) => go({ open: null, filter: { ...filter, page } })}
      />
    </Workbench>
  );
}

function Actions() {
  const { busy, reload } = useReload();
  return (
    <>
      <ButtonLink href={STAFF_PAGES.logs.path} variant="quiet" size="small">
        View Access Logs
      </ButtonLink>
      <RefreshButton busy={busy} onClick={reload} />
    </>
  );
}

interface InboxFiltersProps {
  list: InboxList;
  filter: InboxFilter;
  counts: MarkCounts | undefined;
  onChange: (change: Partial<InboxFilter>) => void;
}

function InboxFilters({ list, filter, counts, onChange }: InboxFiltersProps) {
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
