import MessageCircle from 'lucide-react/icons/message-circle';
import X from 'lucide-react/icons/x';
import { useRef, useState } from 'react';
import { useSite } from '../platform/site.ts';
import { CloseButton } from '../ui/close-button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { showToast } from '../ui/toast/toast.ts';

const PANEL = 'chat-panel';

/** Floats over what is read, or stands in the checkout's bar, where it covers no amount. */
const PLACES = {
  corner:
    'fixed right-4 bottom-[calc(1rem+var(--bottom-bar,0px))] z-40 size-14 shadow-raised sm:right-6',
  bar: 'size-11',
};

/**
 * The round button for the chat, and the frame of its panel, which is in every page and so opens at the first press
 * (start.browser.ts). What the panel holds is loaded then.
 */
export function ChatButton({ place = 'corner' }: { place?: keyof typeof PLACES }) {
  const { supportName } = useSite().company;
  const [open, setOpen] = useState(false);
  const [loaded, setLoaded] = useState<typeof import('./chat-panel.tsx')>();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  async function toggle() {
    setOpen(!open);
    if (loaded) return;
    try {
      setLoaded(await import('./chat-panel.tsx'));
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
      <div
        ref={panel}
        id={PANEL}
        role="dialog"
        aria-labelledby="chat-title"
        hidden={!open}
        data-docked
        onKeyDown={({ key }) => key === 'Escape' && close()}
        className="fixed inset-x-3 bottom-[calc(1rem+var(--chat-button,0px)+var(--bottom-bar,0px)+var(--keyboard,0px))] z-40 flex max-h-[calc(100dvh-2rem-var(--chat-button,0px)-var(--bottom-bar,0px)-var(--keyboard,0px))] flex-col overflow-hidden rounded-card border border-line bg-surface text-sm text-body shadow-raised sm:left-auto sm:right-6 sm:w-96"
      >
        <div className="on-night flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <h2 id="chat-title" className="text-base leading-6">
              {supportName}
            </h2>
            <p className="text-xs">Teams Chat Integration</p>
            <p className="min-h-5 text-xs text-white">{loaded && <loaded.OpenNow />}</p>
          </div>
          <CloseButton
            aria-label="Close chat"
            aria-controls={PANEL}
            onClick={close}
            className="-mr-2"
          />
        </div>
        {loaded ? (
          <FailureBoundary>
            <loaded.ChatPanel panel={panel} open={open} />
          </FailureBoundary>
        ) : (
          <p
            role="status"
            className="flex h-99.25 min-h-24 items-center justify-center gap-2 bg-paper text-muted"
          >
            <Spinner className="size-4" />
            Loading…
          </p>
        )}
      </div>
      <button
        ref={button}
        type="button"
        onClick={toggle}
        aria-label={open ? 'Close the chat window' : 'Chat with us'}
        aria-expanded={open}
        aria-controls={PANEL}
        data-tooltip
        className={`grid place-items-center rounded-full bg-primary text-white forced-colors:border hover:bg-primary-deep ${PLACES[place]}`}
      >
        {open ? <X className="size-6" /> : <MessageCircle className="size-6" />}
      </button>
    </div>
  );
}
