import { type RefObject, useEffect, useState } from 'react';
import { rememberVisitor, type VisitorDetails } from '../contact/contact-fields.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { stayAboveKeyboard } from '../ui/stay-above-keyboard.ts';
import { prepareToasts } from '../ui/toast/toaster.tsx';
import { ContactInfoForm } from './contact-info-form.tsx';
import { MessageBox } from './message-box.tsx';
import { MessageList } from './message-list.tsx';
import { useChat } from './use-chat.ts';

export { OpenNow } from '../company/open-now.tsx';

interface ChatPanelProps {
  /** The frame that it stands in. */
  panel: RefObject<HTMLElement | null>;
  open: boolean;
}

/** Stays mounted while closed, so that neither a draft nor an answer on its way is lost. */
export function ChatPanel({ panel, open }: ChatPanelProps) {
  const { supportName } = useSite().company;
  const { messages, visitor, sending, failure, introduce, send, sendAgain } = useChat();
  const [draft, setDraft] = useState('');
  const [asking, setAsking] = useState(false);

  useEffect(() => {
    // A failure may be the network's: what tells of it is fetched while it is there.
    prepareToasts().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (open && panel.current) return stayAboveKeyboard(panel.current);
  }, [open, panel]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the box and the form take each other's place.
  useEffect(() => {
    if (open) focusFirst(panel.current);
  }, [open, asking]);

  useEffect(() => {
    // The button that sent it is disabled.
    if (sending && document.activeElement === document.body) focusFirst(panel.current);
  }, [sending, panel]);

  function confirm(details: VisitorDetails) {
    setAsking(false);
    introduce(details);
    rememberVisitor(details);
    if (draft.trim()) post(details);
  }

  function post(details: VisitorDetails) {
    send({ content: draft.trim(), details });
    setDraft('');
  }

  return (
    <>
      <MessageList messages={messages} sending={sending} supportName={supportName} />
      {failure && (
        <div
          role="alert"
          className="flex items-center gap-3 border-t border-danger/30 bg-danger-soft px-4 py-3 text-danger"
        >
          <div className="min-w-0 flex-1">
            <p className="font-medium">Failed to send message. Please try again.</p>
            {failure.detail && <p>{failure.detail}</p>}
          </div>
          <Button variant="quiet" size="small" onClick={sendAgain}>
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
          draft={draft}
          sending={sending}
          onChange={setDraft}
          onSubmit={() => (visitor ? post(visitor) : setAsking(true))}
        />
      )}
      {visitor && !asking && (
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

function focusFirst(panel: HTMLElement | null) {
  panel?.querySelector<HTMLElement>('[data-first-focus], textarea')?.focus();
}
