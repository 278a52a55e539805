import MessageCircle from 'lucide-react/icons/message-circle';
import X from 'lucide-react/icons/x';
import { Suspense, type ToggleEvent, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { OpenNow } from '../company/opening-hours.tsx';
import { sessionStore } from '../platform/browser/browser-storage.ts';
import { whenIdle } from '../platform/browser/when-idle.ts';
import { useSite } from '../platform/site.ts';
import { CloseButton } from '../ui/button.tsx';
import { FailureBoundary, lazyWithRetry } from '../ui/failure-boundary.tsx';
import { stayAboveKeyboard } from '../ui/stay-above-keyboard.ts';
import { ChatLoading } from './chat-loading.tsx';
import { conversationFlag } from './conversation-flag.ts';

const ChatPanel = lazyWithRetry(() => import('./chat-panel.tsx').then((each) => each.ChatPanel));

const PANEL = 'chat-panel';
const OPENED = 'chat-open';

/** Above the chat button or the keyboard, below the navbar; on a short screen, over the button. */
const PLACE =
  'fixed inset-x-3 top-auto bottom-(--panel-foot) max-h-[calc(100dvh-0.5rem-var(--panel-foot))] [--panel-foot:max(1rem+var(--foot),0.5rem+var(--keyboard,0px))] sm:right-6 sm:left-auto sm:max-h-[calc(100dvh-0.5rem-var(--spacing-navbar)-var(--panel-foot))] short:max-h-[calc(100dvh-0.5rem-var(--panel-foot))] short:[--panel-foot:calc(0.5rem+var(--keyboard,0px))]';

/**
 * The chat button and its panel, a popover, so that it opens before the page is hydrated. Where it
 * starts closed, a press beside it closes it. Its content loads when it first opens, or when the
 * page is idle if this browser has a conversation.
 */
export function ChatWidget({ startsClosed }: { startsClosed: boolean }) {
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isRestored = useRef(false);
  const [open, setOpen] = useState(false);
  const [loads, setLoads] = useState(false);
  const [unseen, setUnseen] = useState(0);

  // The visitor may have opened the panel before hydration, or on the page before.
  useEffect(() => {
    if (!panel.current) return;
    if (panel.current.matches(':popover-open')) {
      setOpen(true);
      setLoads(true);
      sessionStore.set(OPENED, true);
    } else if (!startsClosed && sessionStore.get(OPENED, z.boolean())) {
      isRestored.current = true;
      reopen(panel.current);
    }
    if (conversationFlag.isSet()) whenIdle(() => setLoads(true));
  }, [startsClosed]);
  useEffect(() => {
    const opened = open ? panel.current : null;
    if (!opened) return;
    const giveWay = () => {
      if (covers(opened, document.activeElement)) opened.hidePopover();
    };
    document.addEventListener('focusin', giveWay);
    const release = stayAboveKeyboard(opened);
    return () => {
      document.removeEventListener('focusin', giveWay);
      release?.();
    };
  }, [open]);

  function onToggle({ newState }: ToggleEvent) {
    const opens = newState === 'open';
    setOpen(opens);
    if (opens) setLoads(true);
    sessionStore.set(OPENED, opens);
    if (opens && !isRestored.current) panel.current?.querySelector('textarea')?.focus();
    isRestored.current &&= opens;
    // A manual popover does not restore the focus when it closes.
    const { activeElement, body } = document;
    const lost = activeElement === body || panel.current?.contains(activeElement);
    if (!opens && lost) button.current?.focus();
  }

  /** Not if the panel was only restored, or the visitor has gone on to another control. */
  function takesFocus(): boolean {
    const { activeElement, body } = document;
    const isElsewhere = activeElement !== body && !activeElement?.closest('[data-chat]');
    return !isRestored.current && !isElsewhere;
  }

  return (
    <div data-chat className="noscript:hidden print:hidden">
      <div
        ref={panel}
        id={PANEL}
        popover={startsClosed ? 'auto' : 'manual'}
        role="dialog"
        aria-labelledby="chat-title"
        data-docked
        onToggle={onToggle}
        onKeyDown={({ key }) => key === 'Escape' && panel.current?.hidePopover()}
        className={`${PLACE} z-40 m-0 w-auto flex-col overflow-x-hidden overflow-y-auto rounded-card border border-line bg-surface p-0 text-sm text-body shadow-raised open:flex sm:w-96`}
      >
        <PanelHead />
        <FailureBoundary>
          <Suspense fallback={<ChatLoading />}>
            {loads ? (
              <ChatPanel open={open} takesFocus={takesFocus} onUnseen={setUnseen} />
            ) : (
              <ChatLoading />
            )}
          </Suspense>
        </FailureBoundary>
      </div>
      <button
        ref={button}
        type="button"
        popoverTarget={PANEL}
        aria-label={open ? 'Close the chat window' : withAnswers('Chat with us', unseen)}
        data-tooltip
        className="fixed right-4 bottom-(--chat-bottom,1rem) z-40 grid size-14 place-items-center rounded-full bg-primary text-white shadow-raised sm:right-6 lg:max-[92rem]:right-2 forced-colors:border hover:bg-primary-deep"
      >
        {open ? <X className="size-6" /> : <MessageCircle className="size-6" />}
        {!open && unseen > 0 && (
          <span className="absolute top-0 right-0 size-4 rounded-full border-2 border-surface bg-danger" />
        )}
      </button>
    </div>
  );
}

function PanelHead() {
  const { supportName } = useSite().company;
  return (
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
        popoverTarget={PANEL}
        popoverTargetAction="hide"
        className="-mr-2"
      />
    </div>
  );
}

function withAnswers(label: string, answers: number): string {
  if (answers === 0) return label;
  return `${label}, ${answers} new ${answers === 1 ? 'answer' : 'answers'}`;
}

/** Whether the panel covers the focused element, as on a phone with a keyboard. */
function covers(panel: HTMLElement, focused: Element | null): boolean {
  if (!focused || panel.contains(focused)) return false;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const y = (top + bottom) / 2;
  return [left + 1, (left + right) / 2, right - 1].some((x) =>
    panel.contains(document.elementFromPoint(x, y)),
  );
}

/** Reopens the panel as on the previous page, without moving the focus. */
function reopen(panel: HTMLElement) {
  const focused = document.activeElement;
  panel.showPopover();
  if (focused instanceof HTMLElement && focused !== document.body) focused.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
