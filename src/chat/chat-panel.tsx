import SendHorizontal from 'lucide-react/icons/send-horizontal';
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import * as z from 'zod/mini';
import { OpenNow } from '../company/opening-hours.tsx';
import { saveVisitor, type VisitorDetails } from '../contact/visitor.ts';
import { MAX_CHAT_MESSAGE } from '../limits.ts';
import { sessionStore } from '../platform/browser/session-store.ts';
import { useSite } from '../platform/site.ts';
import { Button, CloseButton, Spinner } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Textarea } from '../ui/fields.tsx';
import type { ShownMessage } from './chat.ts';
import { ContactInfoForm } from './contact-info-form.tsx';

import { useChat } from './use-chat.ts';

/** The storage key of the text not sent yet. */
const DRAFT = 'chat-draft';

/** The content of the panel; `id` is the panel's. */
export function ChatPanel({ id, onMount }: { id: string; onMount: () => void }) {
  const { supportName } = useSite().company;
  useEffect(onMount, [onMount]);
  return (
    <>
      <div className="on-night flex shrink-0 items-center gap-3 px-5 py-3 short:py-0">
        <div className="min-w-0 flex-1 short:flex short:flex-wrap short:items-baseline short:gap-x-3">
          <h2 id="chat-title" className="text-base leading-6">
            {supportName}
          </h2>
          <p className="text-xs">Teams Chat Integration</p>
          <p className="min-h-5 text-xs text-white short:hidden">
            <OpenNow />
          </p>
        </div>
        <CloseButton
          aria-label="Close chat"
          popoverTarget={id}
          popoverTargetAction="hide"
          className="-mr-2"
        />
      </div>
      <FailureBoundary>
        <ChatConversation />
      </FailureBoundary>
    </>
  );
}

/** The messages, and below them the message box or the form for name and email. */
function ChatConversation() {
  const { messages, visitor, sending, failure, setVisitor, send, sendAgain } = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState('');
  const [asking, setAsking] = useState(false);

  useEffect(() => {
    if (!box.current) return;
    box.current.value ||= sessionStore.get(DRAFT, z.string()) ?? '';
    setDraft(box.current.value);
  }, []);

  function changeDraft(text: string) {
    setDraft(text);
    sessionStore.set(DRAFT, text);
  }

  function confirm(details: VisitorDetails) {
    setAsking(false);
    setVisitor(details);
    saveVisitor(details);
    if (draft.trim()) post(details);
  }

  function post(details: VisitorDetails) {
    send({ content: draft.trim(), details });
    changeDraft('');
    if (box.current) box.current.value = '';
    // The pressed button is now disabled, which would lose the focus.
    box.current?.focus();
  }

  function tryAgain() {
    sendAgain();
    box.current?.focus();
  }

  return (
    <>
      <MessageList messages={messages} sending={sending} />
      {failure !== null && (
        <div
          role="alert"
          className="flex shrink-0 items-center gap-3 border-t border-danger/30 bg-danger-soft px-4 py-3 text-danger"
        >
          <div className="min-w-0 flex-1">
            <p className="font-medium">Failed to send message. Please try again.</p>
            {failure && <p>{failure}</p>}
          </div>
          <Button variant="quiet" size="small" onClick={tryAgain}>
            Try again
          </Button>
        </div>
      )}
      {asking ? (
        <ContactInfoForm
          message={draft.trim()}
          initial={visitor}
          sending={sending}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      ) : (
        <MessageBox
          box={box}
          draft={draft}
          sending={sending}
          onChange={changeDraft}
          onSubmit={() => (visitor ? post(visitor) : setAsking(true))}
        />
      )}
      {visitor && !asking && (
        <p className="flex shrink-0 items-center justify-between gap-3 px-4 pb-2 text-xs text-muted [@media(height<16rem)]:hidden">
          <span id="chat-visitor" className="min-w-0 truncate">
            {`${visitor.name}, ${visitor.email}`}
          </span>
          <button
            type="button"
            onClick={() => setAsking(true)}
            aria-describedby="chat-visitor"
            className="min-h-8 shrink-0 px-1 font-medium text-primary underline"
          >
            Change
          </button>
        </p>
      )}
    </>
  );
}

function MessageList({
  messages,
  sending,
}: {
  messages: readonly ShownMessage[];
  sending: boolean;
}) {
  const log = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to each new message
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [messages, sending]);

  return (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll
      tabIndex={0}
      // Reversed, so that the browser shows the end first, and keeps it in view when the log gets shorter.
      className="flex h-80 min-h-12 shrink-999 flex-col-reverse short:min-h-0 overflow-y-auto overscroll-contain bg-paper p-4 -outline-offset-2"
    >
      <div className="mb-auto flex flex-col gap-3">
        {messages.map((message) => (
          <Bubble key={message.id} message={message} />
        ))}
        {sending && (
          <p className="flex items-center gap-2 self-start px-1 text-muted">
            <Spinner className="size-4" />
            Sending…
          </p>
        )}
      </div>
    </div>
  );
}

function Bubble({ message }: { message: ShownMessage }) {
  const { supportName } = useSite().company;
  const { sender, content, timestamp, reference, failed } = message;
  const isVisitors = sender === 'user';
  const at = new Date(timestamp);
  return (
    <div className={`max-w-[85%] ${isVisitors ? 'self-end text-right' : 'self-start'}`}>
      <p
        className={`inline-block rounded-card px-3.5 py-2 text-left wrap-anywhere whitespace-pre-wrap ${
          isVisitors ? 'rounded-br-sm bg-primary text-white' : 'rounded-bl-sm bg-surface text-ink'
        }`}
      >
        <span className="sr-only">{isVisitors ? 'You: ' : `${supportName}: `}</span>
        <span>{content}</span>
      </p>
      <p className="mt-1 px-1 text-xs text-muted">
        <time dateTime={at.toISOString()}>
          {at.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit' })}
        </time>
        {reference && <span>{` · Reference ${reference}`}</span>}
        {failed && <span className="font-medium text-danger"> · Not sent</span>}
      </p>
    </div>
  );
}

interface MessageBoxProps {
  box: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  sending: boolean;
  onChange: (draft: string) => void;
  onSubmit: () => void;
}

/** Enter sends; Shift+Enter starts a new line. */
function MessageBox({ box, draft, sending, onChange, onSubmit }: MessageBoxProps) {
  const blocked = sending || draft.trim() === '';

  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    if (!blocked) onSubmit();
  }

  return (
    // The box gives way when the panel is low: Send and Close must stay in reach.
    <form
      onSubmit={submit}
      className="flex min-h-[4.8125rem] items-stretch gap-2 border-t border-line p-3"
    >
      <label htmlFor="chat-message" className="sr-only">
        Write to support
      </label>
      <Textarea
        ref={box}
        id="chat-message"
        // In a popover, this focuses the box when the chat opens or the form closes, not when the page loads.
        autoFocus
        rows={2}
        maxLength={MAX_CHAT_MESSAGE}
        placeholder="Type your message"
        enterKeyHint="send"
        defaultValue={draft}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          // In Safari the composition has ended before the Enter that ends it is reported, with the code 229.
          const composing = event.nativeEvent.isComposing || event.keyCode === 229;
          if (event.key === 'Enter' && !event.shiftKey && !composing) submit(event);
        }}
        className="field-sizing-content max-h-40.5 min-h-13 resize-none"
      />
      <button
        type="submit"
        aria-label="Send"
        data-tooltip
        disabled={blocked}
        className="grid size-13 shrink-0 place-items-center self-end rounded-control bg-primary text-white hover:bg-primary-deep disabled:opacity-55"
      >
        <SendHorizontal className="size-5" />
      </button>
    </form>
  );
}
