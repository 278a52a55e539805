/** /admin: what visitors wrote, by contact form and by chat, and what became of it. */
import { SERVICE_CHOICES } from '../contact/contact.ts';
import { OutboxSection } from '../notifications/outbox-section.tsx';
import { useReload } from '../platform/browser/query-client.ts';
import { totalOf } from '../platform/list-query.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import { ButtonLink, RefreshButton } from '../ui/button.tsx';
import { Badge, Moment } from '../ui/facts.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Select } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { ListAndDetail, RecordPanel, useListAddress } from '../ui/records/list-and-detail.tsx';
import { OpenRecord, RecordCell, RecordRow, RecordTable } from '../ui/records/record-table.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { Segments } from '../ui/segments.tsx';
import { Workbench } from '../ui/workbench.tsx';
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
  writeFilter,
} from './inbox-api.ts';
import { ConversationDetail, ServiceBadge, SubmissionDetail } from './message-detail.tsx';
import { type InboxRow, useCounts, useRows } from './use-inbox.ts';

const LISTS = {
  contacts: {
    label: 'Contact messages',
    heading: 'All Submissions',
    about: 'Service',
    failure: (
      <Notice kind="warning">
        This is a preview with sample data: the endpoint is not yet available.
      </Notice>
    ),
    empty:
      'No submissions found. When customers submit the contact form, their submissions will appear here.',
  },
  conversations: {
    label: 'Chat conversations',
    heading: 'All Conversations',
    about: 'Last message',
    failure: <Notice kind="error">Couldn’t load the conversations.</Notice>,
    empty:
      'No conversations found. When visitors write in the chat, their messages will appear here.',
  },
};

export default function InboxPage() {
  const { address, go } = useListAddress(readAddress, writeAddress);
  const { list, filter, open } = address;
  const { heading, about, failure, empty } = LISTS[list];
  const { data: rows, isError, isPlaceholderData } = useRows(list, filter);
  const { data, isError: isUncounted } = useCounts(filter);
  const counts = data?.[list] ?? undefined;
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
        notices={isError && failure}
        list={
          <RecordPanel
            heading={heading}
            nothing={isError || rows?.length === 0}
            narrowed={writeFilter(filter).size > 0}
            noMatches="No messages match your search and filters."
            onClear={() => go({ filter: readFilter(new URLSearchParams()) })}
            empty={empty}
          >
            <RecordTable
              caption={heading}
              columns={[
                { heading: 'Date', width: 'w-44' },
                { heading: 'Name', width: 'w-[20%]' },
                { heading: 'Email', width: 'w-[22%]' },
                { heading: about },
                { heading: 'Action', width: 'w-20' },
              ]}
              items={isError ? [] : (rows?.slice(0, INBOX_PAGE) ?? null)}
              outdated={isPlaceholderData}
              edgeToEdge
            >
              {(row) => (
                <Row
                  key={row.id}
                  row={row}
                  open={row.id === open}
                  onOpen={(id) => go({ open: id })}
                />
              )}
            </RecordTable>
          </RecordPanel>
        }
        detail={(id) =>
          list === 'contacts' ? (
            <SubmissionDetail id={id} filter={filter} onClose={close} />
          ) : (
            <ConversationDetail id={id} onClose={close} />
          )
        }
      />
      <Pager
        page={filter.page}
        pageSize={INBOX_PAGE}
        total={
          counts ? totalOf(counts, filter.mark) : isUncounted ? atLeast(filter, rows?.length) : 0
        }
        atLeast={!counts}
        onChange={(page) => go({ open: null, filter: { ...filter, page } })}
      />
    </Workbench>
  );
}

/** How many there are, as far as the rows tell: after a full page there may be another. */
function atLeast({ page }: InboxFilter, rows = 0): number {
  return (page - 1) * INBOX_PAGE + rows + (rows === INBOX_PAGE ? 1 : 0);
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

interface RowProps {
  row: InboxRow;
  open: boolean;
  onOpen: (id: number) => void;
}

/** One line on a desk, whatever was written. */
function Row({ row, open, onOpen }: RowProps) {
  const describedBy = `row-${row.id}`;
  return (
    <RecordRow open={open}>
      <RecordCell className="truncate text-xs max-lg:order-4 max-lg:col-span-2">
        <Moment at={row.at} /> <span className="ml-1 text-muted tabular-nums">{row.reference}</span>
      </RecordCell>
      <RecordCell className="truncate max-lg:order-1 max-lg:self-center">
        {row.mark === 'new' && (
          <>
            <span className="mr-2 inline-block size-2 rounded-full bg-primary align-middle" />
            <span className="sr-only">{MARK_LABELS.new} </span>
          </>
        )}
        {row.mark === 'spam' && (
          <span className="mr-2">
            <Badge tone="danger">{MARK_LABELS.spam}</Badge>
          </span>
        )}
        <bdi
          id={describedBy}
          className={row.mark === 'new' ? 'font-semibold text-ink' : 'text-ink'}
        >
          {row.name}
        </bdi>
      </RecordCell>
      <RecordCell className="truncate max-lg:order-3">
        <bdi>{row.email}</bdi>
      </RecordCell>
      <RecordCell className="truncate max-lg:order-3 max-lg:col-span-2">
        <About {...row} />
      </RecordCell>
      <RecordCell className="max-lg:order-2">
        <OpenRecord id={row.id} open={open} describedBy={describedBy} onOpen={onOpen} />
      </RecordCell>
    </RecordRow>
  );
}

function About({ service, messages = 1, text }: InboxRow) {
  if (service === undefined)
    return (
      <>
        {messages > 1 && <span>({messages}) </span>}
        <bdi className="text-muted">{text}</bdi>
      </>
    );
  return (
    <span className="flex items-center gap-2">
      <span className="flex max-w-1/2 shrink-0 panes:in-data-panes:max-w-full">
        <ServiceBadge service={service} />
      </span>
      <bdi className="min-w-0 truncate text-muted panes:in-data-panes:hidden">{text}</bdi>
    </span>
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
