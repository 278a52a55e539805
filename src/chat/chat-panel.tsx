import SendHorizontal from 'lucide-react/icons/send-horizontal';
import {
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { saveVisitor, type VisitorDetails } from '../contact/visitor.ts';
import { MAX_CHAT_MESSAGE } from '../limits.ts';
import { onEvent } from '../platform/browser/on-event.ts';
import { readPageData } from '../platform/browser/page-data.ts';
import type { PublicSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Textarea } from '../ui/fields.tsx';
import { moveFocusTo } from '../ui/focus.tsx';
import { renderInto } from '../ui/hydrate.tsx';
import { showToasts } from '../ui/toast/show-toasts.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { ChatLoading } from './chat-loading.tsx';
import { ContactInfoForm } from './contact-info-form.tsx';
import { MessageList } from './message-list.tsx';
import { useChat } from './use-chat.ts';

interface ChatPanelProps {
  /** A popover. */
  panel: HTMLElement;
  takesFocus: () => boolean;
  onUnseen: (answers: number) => void;
}

export function mountChat(content: Element, props: ChatPanelProps): void {
  const { site } = readPageData<{ site: PublicSite }>();
  showToasts();
  renderInto(content, site, <ChatPanel {...props} />);
}

/** The content of the panel: the messages, and below them the message box or a question. */
function ChatPanel({ panel, takesFocus, onUnseen }: ChatPanelProps) {
  const chat = useChat();
  const open = useOpen(panel);
  const { messages, visitor, draft, sending, failure } = chat;
  useAnswersSeen(chat, open, onUnseen);
  const box = useRef<HTMLTextAreaElement>(null);
  const [asking, setAsking] = useState<'details' | 'end' | null>(null);
  const [focusesBox, setFocusesBox] = useState(takesFocus);

  function ask(what: typeof asking) {
    setFocusesBox(true);
    setAsking(what);
  }

  function confirm(details: VisitorDetails) {
    setAsking(null);
    chat.setVisitor(details);
    saveVisitor(details);
    const message = visitor ? chat.correctionTo(details) : draft;
    if (message) post(details, message);
  }

  function post(details: VisitorDetails, message = draft) {
    chat.send(message.trim(), details);
    // The pressed button is now disabled, which would lose the focus.
    box.current?.focus();
  }

  function tryAgain() {
    chat.sendAgain();
    box.current?.focus();
  }

  async function end() {
    await chat.end();
    showToast({ title: 'Conversation ended', description: 'This browser has forgotten it.' });
  }

  if (chat.loading) return <ChatLoading />;
  return (
    <>
      <MessageList messages={messages} sending={sending} onShowEarlier={chat.showEarlier} />
      {chat.unreadable && (
        <Failure title="Earlier messages can’t be shown right now." onTryAgain={chat.reload} />
      )}
      {failure !== null && (
        <Failure
          title="Failed to send message. Please try again."
          detail={failure}
          onTryAgain={tryAgain}
        />
      )}
      {asking === 'details' && (
        <ContactInfoForm
          // Who presses 'Change' has not sent what stands in the box.
          message={visitor ? '' : draft.trim()}
          initial={visitor}
          sending={sending}
          onConfirm={confirm}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'end' && <EndConversation act={end} onClose={() => setAsking(null)} />}
      {asking === null && (
        <>
          <MessageBox
            box={box}
            draft={draft}
            sending={sending}
            focused={focusesBox}
            onChange={chat.setDraft}
            onSubmit={(message) => (visitor ? post(visitor, message) : ask('details'))}
          />
          {(visitor || chat.hasBegun) && (
            <p className="flex shrink-0 items-center justify-between gap-3 px-4 pb-2 text-xs text-muted [@media(height<16rem)]:hidden">
              {visitor && (
                <span className="flex min-w-0 items-center gap-1">
                  <span id="chat-visitor" className="min-w-0 truncate">
                    {`${visitor.name}, ${visitor.email}`}
                  </span>
                  <FootButton onClick={() => ask('details')} describedBy="chat-visitor">
                    Change
                  </FootButton>
                </span>
              )}
              {chat.hasBegun && (
                // Before its answer, the browser may not have the key of what it would end.
                <FootButton onClick={() => ask('end')} disabled={sending}>
                  End conversation
                </FootButton>
              )}
            </p>
          )}
        </>
      )}
    </>
  );
}

interface FootButtonProps {
  onClick: () => void;
  describedBy?: string;
  disabled?: boolean;
  children: string;
}

function FootButton({ onClick, describedBy, disabled, children }: FootButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      disabled={disabled}
      aria-describedby={describedBy}
      className="min-h-8 shrink-0 px-1 font-medium text-primary underline"
    >
      {children}
    </button>
  );
}

interface FailureProps {
  title: string;
  /** Why, or '' if unknown. */
  detail?: string;
  onTryAgain: () => void;
}

function Failure({ title, detail, onTryAgain }: FailureProps) {
  return (
    <div
      role="alert"
      className="flex shrink-0 items-center gap-3 border-t border-danger/30 bg-danger-soft px-4 py-3 text-danger"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {detail && <p>{detail}</p>}
      </div>
      <Button variant="quiet" size="small" onClick={onTryAgain}>
        Try again
      </Button>
    </div>
  );
}

/** For a computer that others use. */
function EndConversation({ act, onClose }: { act: () => Promise<void>; onClose: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => moveFocusTo(title.current), []);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    // Otherwise the panel would close too.
    event.stopPropagation();
    onClose();
  }

  return (
    <div
      role="alertdialog"
      aria-labelledby="chat-end"
      aria-describedby="chat-end-about"
      onKeyDown={onKeyDown}
      className="min-h-0 overflow-y-auto border-t border-line p-4"
    >
      <Confirm verb="End conversation" cancel="Keep it" act={act} onClose={onClose}>
        <div>
          <h3 ref={title} id="chat-end" className="text-base">
            End this conversation?
          </h3>
          <p id="chat-end-about">
            This browser forgets it, with your name and email. We keep what you wrote and can still
            reply by email.
          </p>
        </div>
      </Confirm>
    </div>
  );
}

function useOpen(panel: HTMLElement): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      panel.addEventListener('toggle', listener);
      return () => panel.removeEventListener('toggle', listener);
    },
    [panel],
  );
  return useSyncExternalStore(subscribe, () => panel.matches(':popover-open'));
}

/** Reports answers as seen while the panel is open; otherwise marks the tab and the button. */
function useAnswersSeen(
  { unseen, lastUnseen, markSeen }: ReturnType<typeof useChat>,
  open: boolean,
  onUnseen: (answers: number) => void,
): void {
  const visible = useSyncExternalStore(onVisibilityChange, () => !document.hidden);
  const watched = open && visible;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per answer; then by email
  useEffect(() => {
    if (watched && lastUnseen) markSeen(lastUnseen).catch(() => undefined);
  }, [watched, lastUnseen]);

  const marked = watched ? 0 : unseen;
  useEffect(() => {
    onUnseen(marked);
    if (marked === 0) return;
    document.title = `(${marked}) ${document.title}`;
    return () => {
      document.title = document.title.replace(/^\(\d+\) /, '');
    };
  }, [marked, onUnseen]);
}

const onVisibilityChange = onEvent('visibilitychange');

interface MessageBoxProps {
  box: RefObject<HTMLTextAreaElement | null>;
  draft: string;
  sending: boolean;
  focused: boolean;
  onChange: (draft: string) => void;
  onSubmit: (message: string) => void;
}

function canBeSent(message: string): boolean {
  const { length } = message.trim();
  return length > 0 && length <= MAX_CHAT_MESSAGE;
}

/** Enter sends; Shift+Enter starts a new line. */
function MessageBox({ box, draft, sending, focused, onChange, onSubmit }: MessageBoxProps) {
  const excess = draft.trim().length - MAX_CHAT_MESSAGE;
  const blocked = sending || !canBeSent(draft);

  function submit(event: FormEvent | KeyboardEvent) {
    event.preventDefault();
    const message = readBox();
    if (!sending && canBeSent(message)) onSubmit(message);
  }

  /** Programs that dictate or fill in write without an event. */
  function readBox(): string {
    const message = box.current?.value ?? draft;
    if (message !== draft) onChange(message);
    return message;
  }

  return (
    <>
      <p
        role="status"
        className="shrink-0 border-t border-line px-4 pt-2 text-xs text-danger empty:hidden"
      >
        {excess > 0 && `${excess} characters too many`}
      </p>
      {/* The box gives way when the panel is low: Send and Close must stay in reach. */}
      <form
        onSubmit={submit}
        onPointerEnter={readBox}
        className="flex min-h-[4.8125rem] items-stretch gap-2 border-t border-line p-3"
      >
        <label htmlFor="chat-message" className="sr-only">
          Write to support
        </label>
        <Textarea
          ref={box}
          id="chat-message"
          autoFocus={focused}
          rows={2}
          placeholder="Type your message"
          enterKeyHint="send"
          value={draft}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            // Safari ends the composition before it reports the Enter that ends it, with code 229.
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
    </>
  );
}
