/** /admin: what visitors wrote, by contact form and by chat, and what became of it. */
import { STAFF_PAGES } from '../admin/staff-pages.ts';
import { OutboxSection } from '../notify/screen/outbox-section.tsx';
import { useReload } from '../platform/browser/use-reload.ts';
import { totalOf } from '../platform/list-query.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Pager } from '../ui/pager.tsx';
import { ListAndDetail } from '../ui/records/list-and-detail.tsx';
import { useListAddress } from '../ui/records/use-list-address.ts';
import { useListKeys } from '../ui/records/use-list-keys.ts';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { Segments } from '../ui/text/segments.tsx';
import { Workbench } from '../ui/workbench.tsx';
import { ConversationDetail, ConversationList } from './conversations.tsx';
import { INBOX_PAGE, readAddress, readFilter, writeAddress } from './inbox.ts';
import { InboxFilters } from './inbox-filters.tsx';
import { KeyHints, useLetters } from './key-hints.tsx';
import { NOTIFICATION_WORDS } from './notification-words.ts';
import { SubmissionDetail, SubmissionList } from './submissions.tsx';
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
  const { address, go } = useListAddress(readAddress, writeAddress);
  const { list, filter, open } = address;
  const { List, OpenDetail } = LISTS[list];
  const { data, isError: uncounted } = useCounts(filter);
  const counts = data?.[list] ?? undefined;
  const least = useLeast(list, filter);
  const [letters, setLetters] = useLetters();
  const close = () => {
    if (open !== null) go({ open: null }, { replace: true });
  };
  const table = useListKeys(open, close, letters);

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
        notices={uncounted && <Notice kind="warning">Couldn’t load counts.</Notice>}
        list={
          <List
            ref={table}
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
        total={counts ? totalOf(counts, filter.mark) : uncounted ? least : 0}
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
