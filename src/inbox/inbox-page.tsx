/** /admin: what visitors wrote, by contact form and by chat, and what became of it. */

import { useCallback, useEffect, useRef } from 'react';
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { OutboxSection } from '../notify/outbox-section.tsx';
import { useReload } from '../platform/browser/use-reload.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { Segments } from '../ui/text/segments.tsx';
import { Workbench } from '../ui/workbench.tsx';
import { ConversationDetail } from './conversation-detail.tsx';
import { ConversationList } from './conversation-list.tsx';
import { INBOX_PAGE, MARKS, readFilter } from './inbox.ts';
import { type InboxAddress, useInboxAddress } from './inbox-address.ts';
import { InboxFilters } from './inbox-filters.tsx';
import type { MarkCounts } from './inbox-shapes.ts';
import { KeyHints, useLetters } from './key-hints.tsx';
import { focusRow, useListKeys } from './list-keys.ts';
import { NOTIFICATION_WORDS } from './notification-words.ts';
import { SubmissionDetail } from './submission-detail.tsx';
import { SubmissionList } from './submission-list.tsx';
import { useCounts, useLeast } from './use-inbox.ts';

const LISTS = {
  contacts: { label: 'Contact messages', List: SubmissionList, OpenDetail: SubmissionDetail },
  conversations: {
    label: 'Chat conversations',
    List: ConversationList,
    OpenDetail: ConversationDetail,
  },
};

export default function InboxPage() {
  const { address, go } = useInboxAddress();
  const { list, filter, open } = address;
  const { List, OpenDetail } = LISTS[list];
  const { data, isError: uncounted } = useCounts(filter);
  const counts = data?.[list] ?? undefined;
  const least = useLeast(list, filter);
  const [letters, setLetters] = useLetters();
  const close = () => {
    if (open !== null) go({ open: null }, { replace: true });
  };
  const table = useReading(open, close, letters);

  return (
    <Workbench heading={STAFF_PAGES.inbox.title} actions={<Actions />}>
      <FailureBoundary>
        <OutboxSection words={NOTIFICATION_WORDS} />
      </FailureBoundary>
      <div className={`grid justify-items-start gap-3 ${open === null ? '' : 'max-xl:hidden'}`}>
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
      </div>
      {uncounted && (
        <Notice kind="warning">How many messages there are could not be loaded.</Notice>
      )}
      <div
        className={
          open === null
            ? ''
            : 'grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(25rem,1fr)]'
        }
      >
        <div className={open === null ? '' : 'max-xl:hidden'}>
          <List
            ref={table}
            filter={filter}
            open={open}
            onOpen={(id) => go({ open: id })}
            onClear={() => go({ filter: readFilter(new URLSearchParams()) })}
          />
        </div>
        {open !== null && (
          <div className="xl:sticky xl:top-5">
            <FailureBoundary key={open}>
              <OpenDetail id={open} filter={filter} onClose={close} />
            </FailureBoundary>
          </div>
        )}
      </div>
      <Pager
        page={filter.page}
        pageSize={INBOX_PAGE}
        total={counts ? matches(counts, address) : uncounted ? least : 0}
        atLeast={!counts}
        onChange={(page) => go({ open: null, filter: { ...filter, page } })}
      />
      <KeyHints letters={letters} setLetters={setLetters} />
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

/** The keyboard's moves, and focus that returns to the row whose message has been closed. */
function useReading(open: number | null, close: () => void, letters: boolean) {
  const table = useRef<HTMLTableElement>(null);
  const wasOpen = useRef(open);
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
    if (open === null && wasOpen.current !== null) focusRow(table.current, wasOpen.current);
    wasOpen.current = open;
  });
  useListKeys(
    table,
    useCallback(() => latest.current(), []),
    letters,
  );
  return table;
}

function matches(counts: MarkCounts, { filter }: InboxAddress): number {
  return filter.mark ? counts[filter.mark] : MARKS.reduce((sum, mark) => sum + counts[mark], 0);
}
