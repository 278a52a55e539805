import { useEffect, useRef, useState } from 'react';
import { OpenNow } from '../company/open-now.tsx';
import { rememberVisitor, type VisitorDetails } from '../contact/visitor-details.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { CloseButton } from '../ui/close-button.tsx';
import { stayAboveKeyboard } from '../ui/stay-above-keyboard.ts';
import { prepareToasts } from '../ui/toast/toaster.tsx';
import { ContactInfoForm } from './contact-info-form.tsx';
import { MessageBox } from './message-box.tsx';
import { MessageList } from './message-list.tsx';
import { useChat } from './use-chat.ts';

/** Stays mounted while closed, so that neither a draft nor an answer on its way is lost. */
export function ChatPanel({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { supportName } = useSite().company;
  const { messages, visitor, sending, failure, introduce, send, sendAgain } = useChat();
  const [draft, setDraft] = useState('');
  const [asking, setAsking] = useState(false);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    // A failure may be the network's: what tells of it is fetched while it is there.
    prepareToasts().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (open && panel.current) return stayAboveKeyboard(panel.current);
  }, [open]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the box and the form take each other's place.
  useEffect(() => {
    if (open) focusFirst(panel.current);
  }, [open, asking]);

  useEffect(() => {
    // The button that sent it is disabled.
    if (sending && document.activeElement === document.body) focusFirst(panel.current);
  }, [sending]);

  function confirm(details: VisitorDetails, website: string) {
    setAsking(false);
    introduce(details);
    rememberVisitor(details);
    if (draft.trim()) post(details, website);
  }

  function post(details: VisitorDetails, website: string) {
    send({ content: draft.trim(), details, website });
    setDraft('');
  }

  return (
    <div
      ref={panel}
      id="chat-panel"
      role="dialog"
      aria-labelledby="chat-title"
      hidden={!open}
      data-docked
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
      className="fixed inset-x-3 bottom-[calc(1rem+var(--chat-button,0px)+var(--bottom-bar,0px)+var(--keyboard,0px))] z-40 flex max-h-[calc(100dvh-2rem-var(--chat-button,0px)-var(--bottom-bar,0px)-var(--keyboard,0px))] flex-col overflow-hidden rounded-card border border-line bg-surface text-sm text-body shadow-raised sm:left-auto sm:right-6 sm:w-96"
    >
      <div className="on-night flex items-center gap-3 px-5 py-3">
        <div className="min-w-0 flex-1">
          <h2 id="chat-title" className="text-base leading-6">
            {supportName}
          </h2>
          <p className="text-xs">Teams Chat Integration</p>
          <p className="text-xs text-white">
            <OpenNow />
          </p>
        </div>
        <CloseButton aria-label="Close chat" onClick={onClose} className="-mr-2" />
      </div>
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
          onSubmit={() => (visitor ? post(visitor, '') : setAsking(true))}
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
    </div>
  );
}

function focusFirst(panel: HTMLElement | null) {
  panel?.querySelector<HTMLElement>('[data-first-focus], textarea')?.focus();
}
