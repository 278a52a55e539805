import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { rememberVisitor, type VisitorDetails } from '../contact/visitor-details.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { prepareToasts } from '../ui/toast/toaster.tsx';
import { ContactInfoDialog } from './contact-info-dialog.tsx';
import { MessageBox } from './message-box.tsx';
import { MessageList } from './message-list.tsx';
import { useChat } from './use-chat.ts';

interface ChatPanelProps {
  open: boolean;
  onClose: () => void;
}

/** Stays mounted while closed, so that neither a draft nor an answer on its way is lost. */
export function ChatPanel({ open, onClose }: ChatPanelProps) {
  const { supportName } = useSite().company;
  const { messages, sending, failure, send, sendAgain } = useChat();
  const [draft, setDraft] = useState('');
  const [asking, setAsking] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    // A failure may be the network's: what tells of it is fetched while it is there.
    prepareToasts().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (open) box.current?.focus();
  }, [open]);

  useEffect(() => {
    // The button that sent it is disabled or gone.
    if (sending && document.activeElement === document.body) box.current?.focus();
  }, [sending]);

  function confirm(details: VisitorDetails, website: string) {
    setAsking(false);
    setDraft('');
    rememberVisitor(details);
    send({ content: draft.trim(), details, website });
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };

  return (
    <>
      <div
        id="chat-panel"
        role="dialog"
        aria-labelledby="chat-title"
        hidden={!open}
        data-docked
        onKeyDown={onKeyDown}
        className="fixed inset-x-3 bottom-[calc(1rem+var(--chat-button,0px)+var(--bottom-bar,0px))] z-40 flex max-h-[calc(100dvh-2rem-var(--chat-button,0px)-var(--bottom-bar,0px))] flex-col overflow-hidden rounded-card border border-line bg-surface text-sm text-body shadow-raised sm:left-auto sm:right-6 sm:w-96"
      >
        <div className="on-night flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <h2 id="chat-title" className="text-base leading-6">
              {supportName}
            </h2>
            <p className="text-xs">Teams Chat Integration</p>
          </div>
          <button
            type="button"
            onClick={onClose}
            aria-label="Close chat"
            data-tooltip
            className="-mr-2 grid size-11 place-items-center rounded-control text-white hover:bg-night-raised"
          >
            <X className="size-5" />
          </button>
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
        <MessageBox
          ref={box}
          draft={draft}
          sending={sending}
          onChange={setDraft}
          onSubmit={() => setAsking(true)}
        />
      </div>
      <ContactInfoDialog
        open={asking}
        sending={sending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
