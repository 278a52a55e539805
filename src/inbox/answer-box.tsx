/** The box at the end of an open thread, in which staff write an answer or a note. */
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { MAX_ANSWER } from '../limits.ts';
import { callQuery, isSignedOut } from '../platform/browser/query-client.ts';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { parseJson } from '../platform/schema.ts';
import {
  type AnswerDraft,
  forgetKeptDraft,
  readDraft,
  useDraft,
  writeDraft,
} from '../staff/drafts.ts';
import { useUsername } from '../staff/login.tsx';
import { UNDO_MS } from '../threads/thread.ts';
import { Button, TryAgainButton } from '../ui/button.tsx';
import { Textarea } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { showError, showToast } from '../ui/toast/toast.ts';
import { GET_THREAD, LIST_ANSWERS, type OpenThread, UNDO_ENTRY, WRITE_ENTRY } from './inbox-api.ts';
import { useThreadCache } from './inbox-queries.ts';

const BOX = 'answer';
/** The characters left are counted from here on. */
const NEARLY_FULL = 500;

interface AnswerBoxProps {
  id: number;
  /** Undefined while it loads. */
  thread: OpenThread | undefined;
  /** What was typed can still be copied. */
  isErased: boolean;
  autoFocus: boolean;
  /** Undefined while this thread waits, or if no other does. */
  onNext: (() => void) | undefined;
}

export function AnswerBox({ id, thread, isErased, autoFocus, onNext }: AnswerBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const username = useUsername();
  const draft = useDraft(username, id);
  useEffect(() => {
    if (isErased) forgetKeptDraft(username, id);
  }, [isErased, username, id]);
  const threads = useThreadCache();
  const newest = newestOf(thread);
  const reach = thread && reachInWords(thread);
  const change = (text: string) => writeDraft(username, id, text, newest);

  const writing = usePress({
    mutationFn: ({ kind, draft, after = draft.after }: Writing) =>
      fetchCall(WRITE_ENTRY, {
        params: { id },
        body: { kind, text: draft.text, after, key: draft.keys[kind] },
      }),
    onMutate: (writing) => {
      if (thread) threads.paint(withEntry(thread, writing, username));
      focusBox(id);
    },
    onSuccess: (answered) => {
      change('');
      threads.show(answered);
    },
    onError: (error, { before }) => {
      if (before) threads.paint(before);
      // A colleague's answer, or the erasure, is shown.
      threads.reload(id);
      if (!boxOf(id)) showError(`Your text is kept in the thread. ${whyNotSent(error)}`);
    },
  });
  // What is on its way is shown above, and comes back if it is refused.
  const text = writing.isPending ? '' : (draft?.text ?? '');
  const left = MAX_ANSWER - text.trim().length;
  const write = (kind: Writing['kind']) => draft && writing.mutate({ kind, draft, before: thread });
  const blocked = text.trim() === '' || left < 0 || !thread;
  const canSend = !blocked && reach?.possible;
  if (isErased && !draft) return null;

  return (
    <div className="grid grid-cols-1 gap-2 border-t border-line p-2 sm:px-4">
      {/* A failure is about the text as it was sent. */}
      {writing.error && writing.variables.draft === draft && !isSignedOut(writing.error) && (
        <NotSent
          error={writing.error}
          email={thread?.email}
          newest={newest}
          onSend={(seen) => writing.mutate({ ...writing.variables, before: thread, ...seen })}
        />
      )}
      <label htmlFor={BOX} className="sr-only">
        Your answer
      </label>
      <Textarea
        ref={box}
        id={BOX}
        data-thread={id}
        rows={1}
        autoFocus={autoFocus}
        readOnly={writing.isPending || !thread}
        value={text}
        aria-describedby="answer-reach"
        onChange={({ target }) => change(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          if (canSend) write('staff');
        }}
        className="field-sizing-content max-h-40 min-h-12 resize-none panes:max-h-30 short:max-h-24 in-data-keyboard:max-h-24"
      />
      <div className="flex flex-wrap items-center gap-2">
        <p
          id="answer-reach"
          className="min-h-4 min-w-0 flex-1 text-xs leading-4 wrap-anywhere text-muted max-sm:basis-full"
        >
          {reach?.words}
        </p>
        <p role="status" className="shrink-0 text-xs text-ink tabular-nums empty:hidden">
          {left < NEARLY_FULL && (left < 0 ? `${-left} characters too many` : `${left} left`)}
        </p>
        <ReadyAnswers id={id} onChoose={insert} />
        {onNext && text === '' ? (
          <Button variant="quiet" size="row" className="max-sm:ml-auto" onClick={onNext}>
            Next
          </Button>
        ) : (
          <Button
            variant="quiet"
            size="row"
            className="max-sm:ml-auto"
            disabled={blocked}
            onClick={() => write('note')}
          >
            Note
          </Button>
        )}
        <Button size="row" disabled={!canSend} onClick={() => write('staff')}>
          Send
        </Button>
      </div>
    </div>
  );

  function insert(words: string) {
    const control = box.current;
    if (!control) return;
    control.setRangeText(words, control.selectionStart, control.selectionEnd, 'end');
    change(control.value);
    control.focus();
  }
}

interface Writing {
  kind: 'staff' | 'note';
  draft: AnswerDraft;
  /** The newest entry that the writer has seen, if not that of when the writing began. */
  after?: number;
  before: OpenThread | undefined;
}

/** The thread as it will be, before the server says so. */
function withEntry(thread: OpenThread, { kind, draft }: Writing, author: string): OpenThread {
  const isAnswer = kind === 'staff';
  const at = new Date(Date.now() + (isAnswer ? UNDO_MS : 0)).toISOString();
  const delivery = isAnswer
    ? ({ state: 'leaving', at, answer: '', delivery: null } as const)
    : null;
  const entry = { id: 0, kind, text: draft.text, author, mine: true, at, reference: '', delivery };
  return {
    ...thread,
    entries: [...thread.entries, entry],
    ...(isAnswer && { status: 'answered' as const, waitsSince: null }),
  };
}

/** Takes back an answer that has not left: its text goes before what was typed since. */
export function useUndo(id: number) {
  const username = useUsername();
  const threads = useThreadCache();
  return usePress({
    mutationFn: ({ entry }: { entry: number; text: string }) =>
      fetchCall(UNDO_ENTRY, { params: { id, entry } }).catch(async (error: unknown) => {
        // Its answer may be lost, and the text must not be.
        const thread = await fetchCall(GET_THREAD, { params: { id } }).catch(() => null);
        if (!thread || thread.entries.some((each) => each.id === entry)) throw error;
        return thread;
      }),
    onSuccess: (thread, { text }) => {
      threads.show(thread);
      const typed = readDraft(username, id)?.text;
      writeDraft(username, id, typed ? `${text}\n\n${typed}` : text, newestOf(thread));
      showToast({ title: 'Taken back', description: 'The text is in the box again.' });
      focusBox(id);
    },
    onError: threads.failed,
  });
}

/** Not the last one: an answer that can be undone comes after what was written since. */
function newestOf(thread: OpenThread | undefined): number {
  return Math.max(1, ...(thread?.entries.map(({ id }) => id) ?? []));
}

/** Unless another thread has been opened meanwhile. */
function focusBox(id: number): void {
  boxOf(id)?.focus();
}

function boxOf(id: number) {
  return document.querySelector<HTMLElement>(`#${BOX}[data-thread="${id}"]`);
}

/** How an answer reaches the visitor, in words that staff read before they write. */
function reachInWords(thread: OpenThread): { possible: boolean; words: string } {
  const { kind, email, byMail, inPanel } = thread;
  const possible = byMail || inPanel;
  const noMail = email ? 'Email is not set up' : 'No email address';
  if (inPanel && byMail)
    return { possible, words: 'Appears in the chat; by email if they have left' };
  if (inPanel) return { possible, words: `${noMail}: only in the chat` };
  const ended = kind === 'chat' ? 'The conversation has ended. ' : '';
  if (byMail) return { possible, words: `${ended}Goes by email to ${email}` };
  const byHand = 'After answering from your own mailbox, press “Answered by email”.';
  return { possible, words: `${ended}${noMail}. ${email ? byHand : ''}` };
}

/** What has changed since the writing began, so that the writer is asked first. */
const refusal = z.object({
  answeredBy: z.optional(z.string()),
  readdressed: z.optional(z.boolean()),
});

function whyNotSent(error: Error): string {
  const reason = reasonOf(error, '');
  return reason
    ? `Not sent. ${reason}`
    : 'The server didn’t answer. Try again: nothing is sent twice.';
}

interface NotSentProps {
  error: Error;
  /** The visitor's, now. */
  email: string | undefined;
  newest: number;
  onSend: (seen: { after?: number }) => void;
}

function NotSent({ error, email, newest, onSend }: NotSentProps) {
  const { status, body } = error instanceof CallError ? error : { status: 0, body: '' };
  const { answeredBy, readdressed } = refusal.safeParse(parseJson(body)).data ?? {};
  const asks = answeredBy !== undefined || readdressed;
  if (status === 404)
    return (
      <Notice kind="error">
        Not sent: this message has been erased. You can still copy your text.
      </Notice>
    );
  return (
    <Notice kind={asks ? 'warning' : 'error'}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="wrap-anywhere">
          {readdressed
            ? `Since you began to write, the address has become ${email}.`
            : asks
              ? `${answeredBy} has answered since you began to write.`
              : whyNotSent(error)}
        </p>
        {asks ? (
          <Button variant="quiet" size="small" onClick={() => onSend({ after: newest })}>
            Send anyway
          </Button>
        ) : (
          <TryAgainButton className="" onClick={() => onSend({})} />
        )}
      </div>
    </Notice>
  );
}

/** Fetched when it is opened for the first time. */
function ReadyAnswers({ id, onChoose }: { id: number; onChoose: (text: string) => void }) {
  const [open, setOpen] = useState(false);
  const { data, isError } = useQuery({
    ...callQuery(LIST_ANSWERS, { query: new URLSearchParams({ thread: `${id}` }) }),
    enabled: open,
  });
  const button = useRef<HTMLButtonElement>(null);
  /** Closes the list, and not the thread. */
  function onKeyDown(event: KeyboardEvent) {
    if (!open || event.key !== 'Escape') return;
    event.stopPropagation();
    setOpen(false);
    button.current?.focus();
  }
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        size="row"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        onKeyDown={onKeyDown}
      >
        Ready answers
      </Button>
      {open && (
        <ul className="order-first max-h-44 w-full overflow-y-auto text-sm" onKeyDown={onKeyDown}>
          {data?.map(({ title, text }) => (
            <li key={title}>
              <button
                type="button"
                onClick={() => {
                  setOpen(false);
                  onChoose(text);
                }}
                className="min-h-10 w-full truncate rounded-control px-3 text-left -outline-offset-2 hover:bg-paper-deep panes:min-h-8"
              >
                <span className="mr-2 font-medium text-ink">{title}</span>
                <span className="text-muted">{text}</span>
              </button>
            </li>
          ))}
          {!data?.length && (
            <li role="status" className="px-3 py-1.5 text-muted">
              {isError ? 'Couldn’t load the ready answers.' : data ? 'There are none.' : 'Loading…'}
            </li>
          )}
        </ul>
      )}
    </>
  );
}
