/** An open thread: who wrote, all entries, its mark and assignee, and the box for an answer. */
import { useMutation } from '@tanstack/react-query';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { serviceLabel } from '../contact/contact.ts';
import { RESEND } from '../notifications/outbox-api.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { personPath } from '../staff/staff-links.ts';
import { MARKS, UNDO_MS } from '../threads/thread.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import {
  callAddress,
  MailLink,
  mailAddress,
  NotProvided,
  PhoneLink,
} from '../ui/contact-links.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { LocalTime, useNow } from '../ui/local-time.tsx';
import { DetailCard } from '../ui/records/list-and-detail.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { AnswerBox, useUndo } from './answer-box.tsx';
import {
  ANSWERED_BY_MAIL,
  ASSIGN_THREAD,
  type Entry,
  MARK_LABELS,
  MARK_THREAD,
  type OpenThread,
  type Thread,
} from './inbox-api.ts';
import { isUnread, useThread, useThreadCache } from './inbox-queries.ts';

interface ThreadDetailProps {
  id: number;
  /** The thread as the list has it, if it does. */
  row: Thread | undefined;
  /** Begins in the box. */
  answering: boolean;
  onClose: () => void;
  /** Opens the next thread that waits; undefined if none does. */
  onNext: (() => void) | undefined;
}

export function ThreadDetail({ id, row, answering, onClose, onNext }: ThreadDetailProps) {
  // A server that follows only the specification has nothing more than the row (decision 090).
  const onlyRow = row !== undefined && row.mark === null;
  const { data: thread, error } = useThread(id, !onlyRow);
  const isErased = error instanceof CallError && error.status === 404;
  const failure = isErased ? ERASED : error && !thread ? 'Couldn’t load this message.' : null;
  const shown = thread ?? (onlyRow || error ? row : undefined);
  const subject = encodeURIComponent(`Re: Your inquiry to ${useSite().company.name}`);
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
      foot={
        (thread || isErased) && (
          <AnswerBox
            id={id}
            thread={isErased ? undefined : thread}
            autoFocus={answering}
            onNext={thread?.waitsSince === null ? onNext : undefined}
          />
        )
      }
      beside={
        shown && (
          <>
            {thread && <ThreadState thread={thread} />}
            <Sender thread={shown} />
            <div className="my-4 flex flex-wrap gap-2">
              {shown.email && (
                <ButtonLink
                  href={`${mailAddress(shown.email)}?subject=${subject}`}
                  variant="quiet"
                  size="small"
                >
                  Reply by Email
                </ButtonLink>
              )}
              {shown.phone && (
                <ButtonLink href={callAddress(shown.phone)} variant="quiet" size="small">
                  Call
                </ButtonLink>
              )}
            </div>
            <Person thread={shown} />
          </>
        )
      }
    >
      {shown && (
        <>
          {shown.kind === 'contact' && (
            <dl className={`rounded-card px-4 py-2.5 text-sm ${LOOKS.visitor}`}>
              <dt className="text-xs font-medium">Message</dt>
              <dd className="wrap-anywhere whitespace-pre-wrap text-ink">
                <bdi>{shown.message}</bdi>
              </dd>
            </dl>
          )}
          {thread && <Entries thread={thread} />}
        </>
      )}
    </DetailCard>
  );
}

const ERASED = 'This message is no longer here: it has been erased.';

/** The service's label, or its value if it is no longer offered. */
export function ServiceBadge({ service }: { service: string | null }) {
  if (!service) return <span className="truncate text-muted">Not specified</span>;
  return (
    <Badge>
      <bdi className="truncate">{serviceLabel(service) ?? service}</bdi>
    </Badge>
  );
}

/** Who it is; below, the number and who has it. */
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

function Sender({ thread }: { thread: Thread }) {
  const { kind, name, email, phone, service, createdAt } = thread;
  const sender = {
    Name: name ? <bdi>{name}</bdi> : <NotProvided />,
    Email: <MailLink email={email} />,
  };
  if (kind === 'chat') return <DescriptionList items={sender} />;
  return (
    <DescriptionList
      items={{
        Name: sender.Name,
        Email: sender.Email,
        Phone: <PhoneLink phone={phone} />,
        Service: <ServiceBadge service={service} />,
        'Submission Date': <LocalTime at={createdAt} />,
      }}
    />
  );
}

/** The mark, the colleague who looks after the thread, and what staff can say about it with one press. */
function ThreadState({ thread }: { thread: OpenThread }) {
  const { id, mark, assignee, mine } = thread;
  const { mutate, isPending } = useChange();
  const params = { id };
  return (
    <div className="grid justify-items-start gap-2">
      <span className="flex min-h-6 items-center gap-2">
        <span aria-hidden="true" className="text-muted">
          Mark as
        </span>
        {mark === 'waiting' && <Badge tone="amber">{MARK_LABELS.waiting}</Badge>}
      </span>
      <SegmentedControl
        label="Mark as"
        value={mark ?? 'new'}
        busy={isPending}
        segments={MARKS.map((value) => ({ value, label: MARK_LABELS[value] }))}
        onChange={(chosen) => {
          const mark = MARKS.find((each) => each === chosen);
          if (mark) mutate(() => fetchCall(MARK_THREAD, { params, body: { mark } }));
        }}
      />
      {isUnread(thread) && (
        <Button
          variant="quiet"
          size="small"
          busy={isPending}
          onClick={() => mutate(() => fetchCall(ANSWERED_BY_MAIL, { params }))}
        >
          Answered by mail
        </Button>
      )}
      <p className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
        {assignee !== null && (
          <span className="min-w-0 wrap-anywhere">
            <span className="text-muted">With </span>
            <bdi className="font-medium text-ink">{assignee}</bdi>
          </span>
        )}
        <Button
          variant="quiet"
          size="small"
          busy={isPending}
          onClick={() => mutate(() => fetchCall(ASSIGN_THREAD, { params, body: { mine: !mine } }))}
        >
          {mine ? 'Release' : 'Take over'}
        </Button>
      </p>
    </div>
  );
}

function useChange() {
  const threads = useThreadCache();
  return useMutation({
    mutationFn: (change: () => Promise<OpenThread>) => change(),
    onSuccess: threads.show,
    onError: threads.failed,
  });
}

/** Opens at its end. What comes is scrolled to only if the end was in sight. */
function Entries({ thread }: { thread: OpenThread }) {
  const { id, kind, message } = thread;
  const list = useRef<HTMLOListElement>(null);
  const end = useRef<Element>(null);
  // The first entry of a contact message stands above, as its message.
  const entries = thread.entries.filter(
    (entry) => kind === 'chat' || entry.kind !== 'visitor' || entry.text !== message,
  );
  const newest = entries.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to each new entry
  useEffect(() => {
    if (!end.current || isInSight(end.current))
      list.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
    end.current = list.current?.lastElementChild ?? null;
  }, [newest]);
  // What stands right above the box stays there while the box grows.
  useEffect(() => {
    const frame = list.current?.closest('[data-scrolls]');
    let height = frame?.clientHeight ?? 0;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      entry.target.scrollTop += Math.max(0, height - entry.target.clientHeight);
      height = entry.target.clientHeight;
    });
    if (frame) observer.observe(frame);
    return () => observer.disconnect();
  }, []);
  return (
    <div role="log" aria-label="Entries" className="not-first:mt-3">
      <ol ref={list} className="grid grid-cols-1 gap-3 text-sm empty:hidden">
        {entries.map((entry) => (
          <EntryItem key={entry.id} thread={id} name={thread.name} entry={entry} />
        ))}
      </ol>
    </div>
  );
}

/** Whether the foot of an entry is in sight, in what scrolls around it and on the screen. */
function isInSight(entry: Element): boolean {
  const bottom = (element: Element | null) => element?.getBoundingClientRect().bottom ?? 0;
  const foot = Math.min(bottom(entry.closest('[data-scrolls]')), window.innerHeight);
  return entry.isConnected && bottom(entry) <= foot + 1;
}

interface EntryProps {
  thread: number;
  /** The visitor's. */
  name: string;
  entry: Entry;
}

function EntryItem({ thread, name, entry }: EntryProps) {
  const { kind, text, author, at, reference } = entry;
  if (kind === 'event')
    return (
      <li className="text-center text-xs wrap-anywhere text-muted">
        <bdi>{text}</bdi> <LocalTime at={at} brief />
      </li>
    );
  if (kind === 'reply')
    return (
      <li>
        <details className="group ml-8 rounded-card rounded-br-none border border-line px-4 text-xs">
          <summary className="min-h-7 truncate leading-7">
            <span className="font-medium">Automatic reply </span>
            <LocalTime at={at} brief />
            <bdi className="ml-2 group-open:hidden">{text}</bdi>
          </summary>
          <bdi className="block pb-2 wrap-anywhere whitespace-pre-wrap">{text}</bdi>
        </details>
      </li>
    );
  const titles = {
    visitor: <bdi>{name || 'Visitor'}</bdi>,
    staff: <bdi>{author ?? 'Staff'}</bdi>,
    note: (
      <span>
        <span>Note by </span>
        <bdi>{author ?? 'staff'}</bdi>
        <span>. Only staff can see this</span>
      </span>
    ),
  };
  return (
    <li className={`rounded-card px-4 py-2.5 ${LOOKS[kind]}`}>
      <p className="flex flex-wrap justify-between gap-x-3 text-xs">
        <span className="font-medium">{titles[kind]}</span>
        <span>
          {reference && <span>{`${reference}, `}</span>}
          <LocalTime at={at} brief />
        </span>
      </p>
      <bdi className="block wrap-anywhere whitespace-pre-wrap text-ink">{text}</bdi>
      {entry.delivery && <DeliveryState thread={thread} entry={entry} delivery={entry.delivery} />}
    </li>
  );
}

const LOOKS = {
  visitor: 'mr-8 rounded-bl-none bg-paper-deep',
  staff: 'ml-8 rounded-br-none bg-primary-soft text-primary-deep',
  note: 'border border-dashed border-amber/50 bg-amber-soft text-amber',
};

interface DeliveryStateProps {
  thread: number;
  entry: Entry;
  delivery: NonNullable<Entry['delivery']>;
}

/** What became of an answer. */
function DeliveryState({ thread, entry, delivery }: DeliveryStateProps) {
  const { state, at, answer, delivery: resendable } = delivery;
  const threads = useThreadCache();
  const undoing = useUndo(thread);
  const resending = useMutation({
    mutationFn: (id: number) => fetchCall(RESEND, { params: { id } }),
    onError: threads.failed,
    onSettled: () => threads.reload(thread),
  });
  const words: Record<typeof state, ReactNode> = {
    leaving: <Leaves at={at} />,
    sent: 'Sent',
    seen: (
      <span>
        <span>Seen </span>
        <LocalTime at={at} brief />
      </span>
    ),
    mailed: 'Delivered by mail',
    waiting: answer ? `Not delivered yet: ${answer}` : 'On its way',
    failed: `Refused: ${answer}`,
  };
  return (
    <p className="mt-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs wrap-anywhere">
      <span className={state === 'failed' ? 'font-medium text-danger' : ''}>{words[state]}</span>
      {state === 'leaving' && entry.mine && (
        <Button
          variant="quiet"
          size="row"
          busy={undoing.isPending}
          onClick={() => undoing.mutate({ entry: entry.id, text: entry.text })}
        >
          Undo
        </Button>
      )}
      {state === 'failed' && resendable !== null && (
        <Button
          variant="quiet"
          size="row"
          busy={resending.isPending}
          onClick={() => resending.mutate(resendable)}
        >
          Send again
        </Button>
      )}
    </p>
  );
}

function Leaves({ at }: { at: string }) {
  const seconds = Math.ceil((Date.parse(at) - useNow(1000)) / 1000);
  // The clock of this computer may be wrong. A screen reader does not count along.
  const shown = Math.min(UNDO_MS / 1000, Math.max(1, seconds || 1));
  return <span aria-live="off">{`Leaves in ${shown} s`}</span>;
}

/** What else is stored of the same person. */
function Person({ thread: { email, ...thread } }: { thread: Thread | OpenThread }) {
  const related = 'person' in thread ? thread.person : [];
  const source = 'source' in thread ? thread.source : null;
  return (
    <>
      {source && (
        <>
          <h3 className="text-sm">Where they came from</h3>
          <p className="mt-1 mb-3 wrap-anywhere">{source}</p>
        </>
      )}
      {related.length > 0 && (
        <>
          <h3 className="text-sm">Also from this person</h3>
          <ul className="mt-1 mb-3">
            {related.map(({ reference, path, about, at }) => (
              <li key={path} className="border-b border-line">
                <Link href={path} className="block rounded-control py-2 hover:bg-paper-deep">
                  <span className="font-medium text-ink tabular-nums underline underline-offset-4">
                    {reference}
                  </span>{' '}
                  <span className="text-xs text-muted">
                    <LocalTime at={at} />
                  </span>
                  <bdi className="block truncate text-muted">{about}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
      {email && (
        <Link
          href={personPath(email)}
          className="inline-flex min-h-11 items-center rounded-control underline underline-offset-4"
        >
          Everything from this address
        </Link>
      )}
    </>
  );
}
