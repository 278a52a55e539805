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
import { storeVisitor, type VisitorDetails } from '../contact/visitor.ts';
import { sessionStore } from '../platform/browser/session-store.ts';
import { useSite } from '../platform/site.ts';
import { Button, CloseButton, Spinner } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Textarea } from '../ui/fields.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { MAX_MESSAGE, type ShownMessage } from './chat.ts';
import { ContactInfoForm } from './contact-info-form.tsx';
import { DRAFT, PANEL } from './stored-panel.ts';
import { useChat } from './use-chat.ts';

/** What stands in the chat's panel. */
export function ChatPanel({ onMount }: { onMount: () => void }) {
  const { supportName } = useSite().company;
  useEffect(onMount, [onMount]);
  return (
    <>
      <div className="on-night flex items-center gap-3 px-5 py-3">
        <div className="min-w-0 flex-1">
          <h2 id="chat-title" className="text-base leading-6">
            {supportName}
          </h2>
          <p className="text-xs">Teams Chat Integration</p>
          <p className="min-h-5 text-xs text-white">
            <OpenNow />
          </p>
        </div>
        <CloseButton
          aria-label="Close chat"
          popoverTarget={PANEL}
          popoverTargetAction="hide"
          className="-mr-2"
        />
      </div>
      <FailureBoundary>
        <Conversation />
      </FailureBoundary>
    </>
  );
}

/** Messages, and below them the box for the next one or the dialog for name and email. */
function Conversation() {
  const { messages, visitor, sending, failure, setVisitor, send, sendAgain } = useChat();
  const box = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState('');
  const [asking, setAsking] = useState(false);
  const hydrated = useHydrated();

  useEffect(() => {
    if (!box.current) return;
    box.current.value ||= sessionStore.get(DRAFT, z.string()) ?? '';
    setDraft(box.current.value);
  }, []);
  useEffect(() => {
    if (hydrated) sessionStore.set(DRAFT, draft);
  }, [hydrated, draft]);

  function confirm(details: VisitorDetails) {
    setAsking(false);
    setVisitor(details);
    storeVisitor(details);
    if (draft.trim()) post(details);
  }

  function post(details: VisitorDetails) {
    send({ content: draft.trim(), details });
    setDraft('');
    if (box.current) box.current.value = '';
    // The button that was pressed is disabled now.
    box.current?.focus();
  }

  function tryAgain() {
    sendAgain();
    box.current?.focus();
  }

  return (
    <>
      <MessageList messages={hydrated ? messages : []} sending={sending} />
      {failure !== null && (
        <div
          role="alert"
          className="flex items-center gap-3 border-t border-danger/30 bg-danger-soft px-4 py-3 text-danger"
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
          given={visitor}
          sending={sending}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        />
      ) : (
        <MessageBox
          box={box}
          draft={draft}
          sending={sending}
          onChange={setDraft}
          onSubmit={() => (visitor ? post(visitor) : setAsking(true))}
        />
      )}
      {hydrated && visitor && !asking && (
        <p className="flex items-center justify-between gap-3 px-4 pb-2 text-xs text-muted">
          <span id="chat-visitor" className="min-w-0 truncate">
            {visitor.name}, {visitor.email}
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new stands at the end.
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [messages, sending]);

  return (
    <div
      ref={log}
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
      tabIndex={0}
      className="flex h-80 min-h-24 shrink-999 flex-col gap-3 overflow-y-auto overscroll-contain bg-paper p-4 -outline-offset-2"
    >
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
  );
}

function Bubble({ message }: { message: ShownMessage }) {
  const { supportName } = useSite().company;
  const { sender, content, timestamp, reference, failed } = message;
  const own = sender === 'user';
  const at = new Date(timestamp);
  return (
    <div className={`max-w-[85%] ${own ? 'self-end text-right' : 'self-start'}`}>
      <p
        className={`inline-block rounded-card px-3.5 py-2 text-left break-words whitespace-pre-wrap ${
          own ? 'rounded-br-sm bg-primary text-white' : 'rounded-bl-sm bg-surface text-ink'
        }`}
      >
        <span className="sr-only">{own ? 'You: ' : `${supportName}: `}</span>
        {content}
      </p>
      <p className="mt-1 px-1 text-xs text-muted">
        <time dateTime={at.toISOString()}>
          {at.toLocaleTimeString('en-US', { hour: '2-digit', minute: '2-digit' })}
        </time>
        {reference && <> · Reference {reference}</>}
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

/** Enter sends, Shift+Enter begins a new line. */
function MessageBox({ box, draft, sending, onChange, onSubmit }: MessageBoxProps) {
  const blocked = sending || draft.trim() === '';

  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    if (!blocked) onSubmit();
  }

  return (
    <form onSubmit={submit} className="flex items-end gap-2 border-t border-line p-3">
      <label htmlFor="chat-message" className="sr-only">
        Write to support
      </label>
      <Textarea
        ref={box}
        id="chat-message"
        // Of a popover: it takes the focus when the chat is opened, not with the page, and when it takes the dialog's place.
        autoFocus
        rows={2}
        maxLength={MAX_MESSAGE}
        placeholder="Type your message"
        enterKeyHint="send"
        defaultValue={draft}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          const composing = event.nativeEvent.isComposing;
          if (event.key === 'Enter' && !event.shiftKey && !composing) submit(event);
        }}
        className="field-sizing-content max-h-40.5 min-h-13 resize-none"
      />
      <button
        type="submit"
        aria-label="Send"
        data-tooltip
        disabled={blocked}
        className="grid size-13 shrink-0 place-items-center rounded-control bg-primary text-white hover:bg-primary-deep disabled:opacity-55"
      >
        <SendHorizontal className="size-5" />
      </button>
    </form>
  );
}
