/** The entries of an open thread: what was written, what happened, what became of each answer. */
import { Fragment, type ReactNode, useState } from 'react';
import { DISMISS, RESEND } from '../notifications/outbox-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { MINUTE_MS } from '../platform/time.ts';
import { UNDO_MS } from '../threads/thread.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Button } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LocalTime, useNow, useTimeFormats } from '../ui/local-time.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useUndo } from './answer-box.tsx';
import { type Entry, type OpenThread, READDRESS, type Thread } from './inbox-api.ts';
import { useThreadCache } from './inbox-queries.ts';

/** All entries but the first of a contact message, which stands above, as its message. */
export function Entries({ thread }: { thread: OpenThread }) {
  const { id, kind, name, createdAt } = thread;
  const { day } = useTimeFormats();
  const dayOf = (at: string) => (Date.parse(at) ? day.format(new Date(at)) : null);
  const isContact = kind === 'contact';
  const above = isContact ? firstOf(thread) : undefined;
  const entries = thread.entries.filter((entry) => entry !== above);
  let last = dayOf(isContact ? createdAt : new Date().toISOString());
  return (
    <div role="log" aria-label="Entries" className="not-first:mt-3">
      <ol className="grid grid-cols-1 gap-3 text-sm empty:hidden">
        {entries.map((entry, place) => {
          const day = dayOf(entry.at);
          const isNextDay = day !== null && day !== last;
          last = day ?? last;
          const before = entries[place - 1];
          const joins = before !== undefined && !isNextDay && goesOn(before, entry);
          return (
            <Fragment key={entry.id}>
              {isNextDay && <li className={`${DAY} text-center text-xs text-muted`}>{day}</li>}
              <EntryItem thread={id} name={name} entry={entry} joins={joins} />
            </Fragment>
          );
        })}
      </ol>
    </div>
  );
}

/** A contact message itself: what follows are replies by mail. */
export function firstOf({ entries }: OpenThread): Entry | undefined {
  return entries.find(({ kind }) => kind === 'visitor');
}

const DAY =
  'flex items-center gap-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line';
/** What one person writes within it is shown as one bubble. */
const JOINED_MS = 5 * MINUTE_MS;

function goesOn(before: Entry, { kind, author, at }: Entry): boolean {
  const isSame = before.kind === kind && before.author === author;
  return isSame && Date.parse(at) - Date.parse(before.at) < JOINED_MS;
}

/** Until the thread is here: the words that its row has, and where the rest will be. */
export function Awaited({ row }: { row: Thread }) {
  const { id, kind, name, message, messages } = row;
  const isChat = kind === 'chat';
  const before = isChat ? Math.min(messages - 1, 3) : 0;
  return (
    <div role="status" className="not-first:mt-3">
      <span className="sr-only">Loading…</span>
      <ol className="grid grid-cols-1 gap-3 text-sm empty:hidden">
        {[...'123'].slice(0, before).map((place) => (
          <li key={place}>
            <Skeleton className="h-16 w-3/4 rounded-card" />
          </li>
        ))}
        {isChat ? (
          <EntryItem thread={id} name={name} entry={{ ...AWAITED, text: message }} />
        ) : (
          row.lastAt !== row.createdAt && (
            <li>
              <Skeleton className="ml-8 h-20 rounded-card" />
            </li>
          )
        )}
      </ol>
    </div>
  );
}

const AWAITED: Entry = {
  id: 0,
  kind: 'visitor',
  text: '',
  author: null,
  mine: false,
  at: '',
  reference: '',
  delivery: null,
};

interface EntryProps {
  thread: number;
  /** The visitor's. */
  name: string;
  entry: Entry;
  /** It goes on with the one before. */
  joins?: boolean;
}

function EntryItem({ thread, name, entry, joins = false }: EntryProps) {
  const { id, kind, text, author, at, reference } = entry;
  if (kind === 'event')
    return (
      <li className="text-center text-xs wrap-anywhere text-muted">
        <bdi>{text}</bdi> <LocalTime at={at} clock />
      </li>
    );
  if (kind === 'reply')
    return (
      <li>
        <details className="group ml-8 rounded-card rounded-br-none border border-line px-4 text-xs">
          <summary className="min-h-7 truncate leading-7">
            <span className="font-medium">Automatic reply </span>
            <LocalTime at={at} clock />
            <bdi className="ml-2 group-open:hidden">{text}</bdi>
          </summary>
          <bdi className="block pb-2 wrap-anywhere whitespace-pre-wrap">{text}</bdi>
        </details>
      </li>
    );
  const titles = {
    visitor: <bdi>{`${name || 'Visitor'}${author ? ', by email' : ''}`}</bdi>,
    'third-party': <bdi>{`${author}, by email`}</bdi>,
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
    // What is not sent yet is said once it is.
    <li
      aria-hidden={id === 0 || undefined}
      className={`rounded-card px-4 py-2.5 ${LOOKS[kind]} ${joins ? '-mt-2' : ''}`}
    >
      <p
        className={`text-xs ${joins ? 'float-right ml-3' : 'flex flex-wrap justify-between gap-x-3'}`}
      >
        {!joins && <span className="font-medium">{titles[kind]}</span>}
        <span>
          {reference && <span>{`${reference}, `}</span>}
          {at && <LocalTime at={at} clock />}
        </span>
      </p>
      <bdi className="block wrap-anywhere whitespace-pre-wrap text-ink">{text}</bdi>
      {entry.delivery && <DeliveryState thread={thread} entry={entry} delivery={entry.delivery} />}
    </li>
  );
}

export const LOOKS = {
  visitor: 'mr-8 rounded-bl-none bg-paper-deep',
  'third-party': 'mr-8 rounded-bl-none border border-line',
  staff: 'ml-8 rounded-br-none bg-primary-soft text-primary-deep',
  note: 'border border-dashed border-amber/50 bg-amber-soft text-amber',
};

interface DeliveryStateProps {
  thread: number;
  entry: Entry;
  delivery: NonNullable<Entry['delivery']>;
}

function DeliveryState({ thread, entry, delivery }: DeliveryStateProps) {
  const { state, at, answer, delivery: resendable } = delivery;
  const undoing = useUndo(thread);
  const words: Record<typeof state, ReactNode> = {
    leaving: <Leaves at={at} />,
    sent: 'Sent',
    seen: (
      <span>
        <span>Seen </span>
        <LocalTime at={at} brief />
      </span>
    ),
    mailed: 'Delivered by email',
    waiting: answer || 'On its way',
    failed: answer || 'Not delivered',
  };
  return (
    <p className="mt-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs wrap-anywhere">
      <span className={state === 'failed' ? 'font-medium text-danger' : ''}>{words[state]}</span>
      {state === 'leaving' && entry.mine && (
        <Button
          variant="quiet"
          size="row"
          disabled={entry.id === 0}
          busy={undoing.isPending}
          onClick={() => undoing.mutate({ entry: entry.id, text: entry.text })}
        >
          Undo
        </Button>
      )}
      {answer && resendable !== null && (
        <span className="flex flex-wrap gap-2">
          <Readdress thread={thread} entry={entry.id} />
          <ActionButton size="row" act={() => fetchCall(RESEND, { params: { id: resendable } })}>
            Send again
          </ActionButton>
          {state === 'failed' && (
            <ActionButton size="row" act={() => fetchCall(DISMISS, { params: { id: resendable } })}>
              Dismiss
            </ActionButton>
          )}
        </span>
      )}
    </p>
  );
}

function Readdress({ thread, entry }: { thread: number; entry: number }) {
  const [open, setOpen] = useState(false);
  const threads = useThreadCache();
  const params = { id: thread, entry };
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="quiet" size="row" onClick={() => setOpen(true)}>
        Send to another address…
      </Button>
      <Dialog open={open} onClose={close} title="Send to another address">
        <CallForm
          inDialog
          label="Another address"
          schema={READDRESS.body}
          read={(field) => ({ email: field('email') })}
          save={(body) => fetchCall(READDRESS, { params, body })}
          onFailed={() => threads.reload(thread)}
          onSaved={(saved) => {
            threads.show(saved);
            close();
          }}
          button="Send"
        >
          {(field) => field('Email', 'email', { type: 'email' })}
        </CallForm>
      </Dialog>
    </>
  );
}

function Leaves({ at }: { at: string }) {
  const seconds = Math.ceil((Date.parse(at) - useNow(1000)) / 1000);
  // This computer's clock may differ from the server's. A screen reader does not count along.
  const shown = Math.min(UNDO_MS / 1000, Math.max(1, seconds || 1));
  return <span aria-live="off">{`Leaves in ${shown} s`}</span>;
}
