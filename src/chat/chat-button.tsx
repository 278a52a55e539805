import MessageCircle from 'lucide-react/icons/message-circle';
import X from 'lucide-react/icons/x';
import { useRef, useState } from 'react';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { showToast } from '../ui/toast/toast.ts';
import type { ChatPanel } from './chat-panel.tsx';

/** Floats over what is read, or stands in the checkout's bar, where it covers no amount. */
const PLACES = {
  corner:
    'fixed right-4 bottom-[calc(1rem+var(--bottom-bar,0px))] z-40 size-14 shadow-raised sm:right-6',
  bar: 'size-11',
};

/** The round button for the chat. The panel and all that belongs to it is loaded when it is first pressed. */
export function ChatButton({ place = 'corner' }: { place?: keyof typeof PLACES }) {
  const [open, setOpen] = useState(false);
  const [Panel, setPanel] = useState<typeof ChatPanel>();
  const button = useRef<HTMLButtonElement>(null);

  async function toggle() {
    setOpen(!open);
    if (Panel) return;
    try {
      const { ChatPanel } = await import('./chat-panel.tsx');
      setPanel(() => ChatPanel);
    } catch {
      setOpen(false);
      showToast({
        title: 'Couldn’t open the chat',
        description: 'Please check your connection and try again.',
        variant: 'destructive',
      });
    }
  }

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  return (
    <div data-chat={place} className="noscript:hidden print:hidden">
      {Panel && (
        <FailureBoundary>
          <Panel open={open} onClose={close} />
        </FailureBoundary>
      )}
      <button
        ref={button}
        type="button"
        onClick={toggle}
        aria-label={open ? 'Close the chat window' : 'Chat with us'}
        aria-expanded={open}
        aria-controls={Panel && 'chat-panel'}
        data-tooltip
        className={`grid place-items-center rounded-full bg-primary text-white forced-colors:border hover:bg-primary-deep ${PLACES[place]}`}
      >
        {open ? <X className="size-6" /> : <MessageCircle className="size-6" />}
      </button>
    </div>
  );
}
