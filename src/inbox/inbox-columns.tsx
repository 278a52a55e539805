/** The columns of the inbox's list. */
import { MINUTE_MS } from '../platform/time.ts';
import { Badge } from '../ui/badge.tsx';
import { LocalTime, useNow } from '../ui/local-time.tsx';
import type { Column } from '../ui/records/record-table.tsx';
import { STATUS_LABELS, type Thread } from './inbox-api.ts';
import { isUnread } from './inbox-queries.ts';
import { ServiceBadge } from './thread-beside.tsx';

/** Cells truncate, so that a row stays one line on a desktop whatever a visitor writes. */
export const INBOX_COLUMNS: Column<Thread>[] = [
  {
    heading: 'Date',
    width: 'w-64',
    className:
      'truncate text-xs max-lg:order-4 max-lg:justify-self-end max-lg:text-right xl:in-data-compact:order-2',
    cell: (thread) => (
      <>
        <span
          className={`lg:not-in-data-compact:inline-block lg:not-in-data-compact:w-16 ${thread.waitsSince ? 'in-data-compact:hidden' : ''}`}
        >
          <LocalTime at={thread.lastAt || thread.createdAt} inList />
        </span>{' '}
        <span className="inline-block w-12 text-muted tabular-nums max-lg:hidden in-data-compact:hidden">
          {thread.reference}
        </span>
        <Waits status={thread.status} since={thread.waitsSince} />
      </>
    ),
  },
  {
    heading: 'Name',
    width: 'w-[20%]',
    className: 'truncate max-lg:order-1 max-lg:self-center xl:in-data-compact:order-1',
    labelsRow: true,
    cell: Name,
  },
  {
    heading: 'Email',
    width: 'w-[22%]',
    className: 'truncate max-lg:order-3 max-lg:text-xs xl:in-data-compact:hidden',
    cell: ({ email }) => <bdi>{email || 'Not provided'}</bdi>,
  },
  {
    heading: 'Service',
    className:
      'truncate max-lg:order-5 max-lg:col-span-2 xl:in-data-compact:order-3 xl:in-data-compact:col-span-2',
    cell: About,
  },
];

function Name({ status, name }: Thread) {
  const unread = isUnread({ status });
  return (
    <>
      {status && unread && (
        <span
          className={`mr-2 inline-block size-2.5 rounded-full border-2 align-middle ${status === 'new' ? 'border-primary bg-primary' : 'border-amber'}`}
        />
      )}
      {status === 'spam' && (
        <span className="mr-2">
          <Badge tone="danger">{STATUS_LABELS.spam}</Badge>
        </span>
      )}
      <bdi className={unread ? 'font-semibold text-ink' : 'text-ink'}>{name || 'Not provided'}</bdi>
    </>
  );
}

function Waits({ status, since }: { status: Thread['status']; since: string | null }) {
  const now = useNow(MINUTE_MS);
  if (since === null) return null;
  const minutes = Math.max(0, Math.floor((now - Date.parse(since)) / MINUTE_MS));
  const words =
    minutes < 1
      ? 'just now'
      : minutes < 60
        ? `${minutes} min`
        : minutes < 48 * 60
          ? `${Math.floor(minutes / 60)} h`
          : `${Math.floor(minutes / 1440)} d`;
  const tone =
    status === 'new'
      ? 'bg-primary-soft text-primary-deep inset-ring inset-ring-primary/25'
      : 'bg-amber-soft text-amber';
  return (
    <span
      title="Waiting for an answer"
      className={`inline-block rounded-full px-2 py-0.5 font-medium tabular-nums ${tone}`}
    >
      {status ? `${STATUS_LABELS[status]} ${words}` : words}
    </span>
  );
}

/** The service of a contact message, the last words of a chat, and who looks after the thread. */
function About({ kind, service, messages, message, assignee, ...thread }: Thread) {
  const { undelivered, stillTried } = thread;
  return (
    <span className="flex items-center gap-2">
      {kind === 'chat'
        ? messages > 1 && <span className="shrink-0">{`(${messages})`}</span>
        : !undelivered && (
            <span className="flex max-w-1/2 min-w-0 shrink-0 in-data-compact:hidden">
              <ServiceBadge service={service} />
            </span>
          )}
      <bdi
        className={`min-w-0 flex-1 truncate ${!undelivered ? 'text-muted' : stillTried ? 'text-amber' : 'text-danger'}`}
      >
        {undelivered ?? message}
      </bdi>
      {assignee && <bdi className="max-w-2/5 shrink-0 truncate text-xs text-ink">{assignee}</bdi>}
    </span>
  );
}
