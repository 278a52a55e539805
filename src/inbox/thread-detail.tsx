/** An open thread: who wrote, all entries, its status and assignee, and the box for an answer. */
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { CallError } from '../platform/fetch-call.ts';
import { Button } from '../ui/button.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { DetailCard } from '../ui/records/list-and-detail.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { AnswerBox } from './answer-box.tsx';
import type { Thread } from './inbox-api.ts';
import { useThread } from './inbox-queries.ts';
import { RunningPlan, ThreadBeside, ThreadState } from './thread-beside.tsx';
import { Awaited, Entries, firstOf, LOOKS } from './thread-entries.tsx';

interface ThreadDetailProps {
  id: number;
  /** The thread as the list has it, if it does. */
  row: Thread | undefined;
  answering: boolean;
  onClose: () => void;
  onNext: (() => void) | undefined;
}

export function ThreadDetail({ id, row, answering, onClose, onNext }: ThreadDetailProps) {
  // A server that follows only the specification has nothing more than the row (decision 090).
  const onlyRow = row !== undefined && row.status === null;
  const { data: thread, error } = useThread(id, !onlyRow);
  const isErased = error instanceof CallError && error.status === 404;
  const failure = isErased ? ERASED : error && !thread ? 'Couldn’t load this message.' : null;
  const shown = thread ?? (isErased ? undefined : row);
  const isAwaited = !(thread || onlyRow || failure);
  // The row may have those of a reply by mail.
  const before = row?.messages === 1 ? row.message : null;
  const words = thread ? (firstOf(thread)?.text ?? thread.message) : before;
  return (
    <DetailCard
      id={id}
      heading={<Heading thread={shown} />}
      failure={onlyRow ? null : failure}
      actions={
        <Button
          variant="quiet"
          size="row"
          onClick={onClose}
          className="max-xl:order-first max-xl:px-3"
        >
          <ChevronLeft className="size-4 xl:hidden" />
          Close
        </Button>
      }
      state={
        thread ? (
          <>
            <ThreadState thread={thread} />
            <div className="w-full empty:hidden panes:hidden">
              <RunningPlan related={thread.person} />
            </div>
          </>
        ) : (
          isAwaited && <Skeleton className="h-10.5 w-72 panes:h-9.5" />
        )
      }
      foot={
        !(onlyRow || failure) || isErased ? (
          <AnswerBox
            id={id}
            thread={isErased ? undefined : thread}
            isErased={isErased}
            autoFocus={answering}
            onNext={thread?.waitsSince === null ? onNext : undefined}
          />
        ) : undefined
      }
      beside={
        shown ? <ThreadBeside shown={shown} thread={thread} /> : isAwaited && <BesideAwaited />
      }
    >
      {shown && (
        <>
          {shown.kind === 'contact' && words !== null && (
            <dl className={`rounded-card px-4 py-2.5 text-sm ${LOOKS.visitor}`}>
              <dt className="flex justify-between gap-3 text-xs font-medium">
                <span>Message</span>
                <span className="font-normal">
                  <LocalTime at={shown.createdAt} brief />
                </span>
              </dt>
              <dd className="wrap-anywhere whitespace-pre-wrap text-ink">
                <bdi>{words}</bdi>
              </dd>
            </dl>
          )}
          {thread ? <Entries thread={thread} /> : !onlyRow && !error && <Awaited row={shown} />}
          {thread?.ownAddress && (
            <Notice kind="warning">
              {`${thread.email} is our own address. No confirmation was sent, and an answer by email would come back to us.`}
            </Notice>
          )}
        </>
      )}
    </DetailCard>
  );
}

function BesideAwaited() {
  return (
    <div className="grid gap-3">
      {['w-40', 'w-32', 'w-52', 'w-28'].map((width) => (
        <Skeleton key={width} className={`h-5 ${width}`} />
      ))}
    </div>
  );
}

const ERASED = 'This message is no longer here: it has been erased.';

function Heading({ thread }: { thread: Thread | undefined }) {
  const kind = thread?.kind === 'chat' ? 'Conversation' : 'Submission Details';
  return (
    <>
      {thread && <bdi className="block truncate">{thread.name || 'Not provided'}</bdi>}{' '}
      <span className="block truncate text-xs font-normal text-muted tabular-nums">
        <span>{[kind, thread?.reference].filter(Boolean).join(' ')}</span>
        {thread?.assignee && (
          <span>
            {', with '}
            <bdi>{thread.assignee}</bdi>
          </span>
        )}
      </span>
    </>
  );
}
