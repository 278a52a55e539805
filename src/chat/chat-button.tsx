import MessageCircle from 'lucide-react/icons/message-circle';
import X from 'lucide-react/icons/x';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useSite } from '../platform/site.ts';
import { CloseButton } from '../ui/close-button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { Spinner } from '../ui/spinner.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';

const PANEL = 'chat-panel';
const loadPanel = () => import('./chat-panel.tsx');
const ChatPanel = lazyPart(async () => (await loadPanel()).ChatPanel);
const OpenNow = lazyPart(async () => (await loadPanel()).OpenNow);

/** The round button for the chat, and its panel, which is drawn from the first press on. */
export function ChatButton() {
  const { supportName } = useSite().company;
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);

  // Before the first press, so that what is typed after it finds its box.
  useEffect(() => void loadPanel().catch(() => undefined), []);

  function toggle() {
    setOpen(!open);
    setOpened(true);
  }

  function close() {
    setOpen(false);
    button.current?.focus();
  }

  return (
    <div data-chat className="noscript:hidden print:hidden">
      <div
        ref={panel}
        id={PANEL}
        role="dialog"
        aria-labelledby="chat-title"
        hidden={!open}
        data-docked
        onKeyDown={({ key }) => key === 'Escape' && close()}
        className="fixed inset-x-3 bottom-[calc(1rem+var(--foot)+var(--keyboard,0px))] z-40 flex max-h-[calc(100dvh-2rem-var(--foot)-var(--keyboard,0px))] flex-col overflow-hidden rounded-card border border-line bg-surface text-sm text-body shadow-raised sm:left-auto sm:right-6 sm:w-96"
      >
        <div className="on-night flex items-center gap-3 px-5 py-3">
          <div className="min-w-0 flex-1">
            <h2 id="chat-title" className="text-base leading-6">
              {supportName}
            </h2>
            <p className="text-xs">Teams Chat Integration</p>
            <p className="min-h-5 text-xs text-white">
              {opened && (
                <FailureBoundary fallback="">
                  <OpenNow />
                </FailureBoundary>
              )}
            </p>
          </div>
          <CloseButton
            aria-label="Close chat"
            aria-controls={PANEL}
            onClick={close}
            className="-mr-2"
          />
        </div>
        {opened && (
          <FailureBoundary>
            <Suspense fallback={<Loading />}>
              <ChatPanel panel={panel} open={open} />
            </Suspense>
          </FailureBoundary>
        )}
      </div>
      <button
        ref={button}
        type="button"
        disabled={!useHydrated()}
        onClick={toggle}
        aria-label={open ? 'Close the chat window' : 'Chat with us'}
        aria-expanded={open}
        aria-controls={PANEL}
        data-tooltip
        className="fixed right-4 bottom-(--chat-bottom,1rem) z-40 grid size-14 place-items-center rounded-full bg-primary text-white shadow-raised sm:right-6 forced-colors:border hover:bg-primary-deep disabled:opacity-55"
      >
        {open ? <X className="size-6" /> : <MessageCircle className="size-6" />}
      </button>
    </div>
  );
}

function Loading() {
  return (
    <p
      role="status"
      className="flex h-99.25 min-h-24 items-center justify-center gap-2 bg-paper text-muted"
    >
      <Spinner className="size-4" />
      Loading…
    </p>
  );
}
