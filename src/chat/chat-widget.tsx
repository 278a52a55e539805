import MessageCircle from 'lucide-react/icons/message-circle';
import X from 'lucide-react/icons/x';
import { type ToggleEvent, useCallback, useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { sessionStore } from '../platform/browser/session-store.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { stayAboveKeyboard } from '../ui/stay-above-keyboard.ts';
import { ChatPanel } from './chat-panel.tsx';

const PANEL = 'chat-panel';
/** The storage key that keeps the panel open on the next page. */
const OPENED = 'chat-open';

/** Above the chat button or the keyboard, below the navbar; on a short screen, over the button. */
const PLACE =
  'fixed inset-x-3 top-auto bottom-(--panel-foot) max-h-[calc(100dvh-0.5rem-var(--panel-foot))] [--panel-foot:max(1rem+var(--foot),0.5rem+var(--keyboard,0px))] sm:right-6 sm:left-auto sm:max-h-[calc(100dvh-0.5rem-var(--spacing-navbar)-var(--panel-foot))] short:max-h-[calc(100dvh-0.5rem-var(--panel-foot))] short:[--panel-foot:calc(0.5rem+var(--keyboard,0px))]';

/**
 * The chat button and its panel. The panel is a popover, so that the browser can open it and accept text before the page is
 * hydrated.
 */
export function ChatWidget({ startsClosed }: { startsClosed: boolean }) {
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);

  // The visitor may have opened the panel before hydration.
  useEffect(() => {
    if (!panel.current?.matches(':popover-open')) return;
    setOpen(true);
    sessionStore.set(OPENED, true);
  }, []);
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

  /** Runs after the message box has mounted, which would otherwise take the focus. */
  const restore = useCallback(() => {
    if (!startsClosed && panel.current && sessionStore.get(OPENED, z.boolean()))
      reopen(panel.current);
  }, [startsClosed]);

  function onToggle({ newState }: ToggleEvent) {
    setOpen(newState === 'open');
    sessionStore.set(OPENED, newState === 'open');
    // A manual popover does not restore the focus when it closes.
    const { activeElement, body } = document;
    const lost = activeElement === body || panel.current?.contains(activeElement);
    if (newState === 'closed' && lost) button.current?.focus();
  }

  return (
    <div data-chat className="noscript:hidden print:hidden">
      <div
        ref={panel}
        id={PANEL}
        popover="manual"
        role="dialog"
        aria-labelledby="chat-title"
        data-docked
        onToggle={onToggle}
        onKeyDown={({ key }) => key === 'Escape' && panel.current?.hidePopover()}
        className={`${PLACE} z-40 m-0 w-auto flex-col overflow-x-hidden overflow-y-auto rounded-card border border-line bg-surface p-0 text-sm text-body shadow-raised open:flex sm:w-96 lg:max-xl:w-80`}
      >
        <FailureBoundary>
          <ChatPanel id={PANEL} onMount={restore} />
        </FailureBoundary>
      </div>
      <button
        ref={button}
        type="button"
        popoverTarget={PANEL}
        aria-label={open ? 'Close the chat window' : 'Chat with us'}
        data-tooltip
        className="fixed right-4 bottom-(--chat-bottom,1rem) z-40 grid size-14 place-items-center rounded-full bg-primary text-white shadow-raised sm:right-6 forced-colors:border hover:bg-primary-deep"
      >
        {open ? <X className="size-6" /> : <MessageCircle className="size-6" />}
      </button>
    </div>
  );
}

/** Whether the panel lies over the focused element, as it does on a phone for a visitor who goes on with the keyboard. */
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
