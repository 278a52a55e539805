import { sessionStore } from '../platform/browser/browser-storage.ts';
import { importLater, type LaterScript } from '../platform/browser/later-script.ts';
import { whenIdle } from '../platform/browser/when-idle.ts';
import { stayAboveKeyboard } from '../ui/stay-above-keyboard.ts';
import { reloadWithTyped } from '../ui/typed-fields.ts';
import { conversationFlag } from './conversation-flag.ts';

const OPENED = 'chat-open';

/**
 * What the chat button and its panel do in the browser. The panel's content brings React when it
 * first opens, or when the page is idle if this browser has a conversation.
 */
export function operateChat(script: LaterScript): void {
  const panel = document.getElementById('chat-panel');
  const button = document.querySelector<HTMLElement>('[data-chat] > button');
  const content = document.getElementById('chat-content');
  if (!panel || !button || !content) return;
  const isOpen = () => panel.matches(':popover-open');
  let isRestored = false;
  let unseen = 0;
  let loads = false;
  let release: (() => void) | undefined;

  const load = async () => {
    if (loads) return;
    loads = true;
    const panelScript = () => importLater<typeof import('./chat-panel.tsx')>(script);
    try {
      const { mountChat } = await panelScript().catch(panelScript);
      mountChat(content, { panel, takesFocus, onUnseen });
    } catch {
      loads = false;
      const failure = panel.querySelector('template')?.content.cloneNode(true);
      if (failure) content.replaceChildren(failure);
      // Browsers may remember a failure until the page is reloaded.
      content.querySelector('button')?.addEventListener('click', reloadWithTyped);
    }
  };

  const label = () => {
    const open = isOpen();
    const waiting = open ? 0 : unseen;
    const answers = waiting > 0 ? `, ${waiting} new ${waiting === 1 ? 'answer' : 'answers'}` : '';
    button.ariaLabel = open ? 'Close the chat window' : `Chat with us${answers}`;
    button.toggleAttribute('data-unseen', waiting > 0);
  };

  const onUnseen = (answers: number) => {
    unseen = answers;
    label();
  };

  /** Not if the panel was only restored, or the visitor has gone on to another control. */
  const takesFocus = () => {
    const { activeElement, body } = document;
    const ofChat = '[data-chat], [popovertarget=chat-panel]';
    const isElsewhere = activeElement !== body && !activeElement?.closest(ofChat);
    return !isRestored && !isElsewhere;
  };

  const giveWay = () => {
    if (covers(panel, document.activeElement)) panel.hidePopover();
  };

  const follow = () => {
    const open = isOpen();
    label();
    sessionStore.set(OPENED, open);
    release?.();
    document.removeEventListener('focusin', giveWay);
    if (!open) return;
    void load();
    document.addEventListener('focusin', giveWay);
    release = stayAboveKeyboard(panel);
  };

  panel.addEventListener('toggle', () => {
    follow();
    if (isOpen() && !isRestored) panel.querySelector('textarea')?.focus();
    isRestored &&= isOpen();
    // A manual popover does not restore the focus when it closes.
    const { activeElement, body } = document;
    const lost = activeElement === body || panel.contains(activeElement);
    if (!isOpen() && lost) button.focus();
  });
  panel.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') panel.hidePopover();
  });
  // The visitor may have opened the panel before the script ran, or on the page before.
  if (isOpen()) follow();
  else if (panel.popover === 'manual' && sessionStore.read(OPENED) === true) {
    isRestored = true;
    reopen(panel);
  }
  if (conversationFlag.isSet()) whenIdle(load);
  stepAside(button);
}

/** Where it would cover the first buttons of a page. */
const TOO_SMALL = '(width < 22rem) and (height < 36rem)';

/** The button leaves while somebody reads on, and is back at both ends and on the way up. */
function stepAside(button: HTMLElement): void {
  let last = -1;
  const follow = () => {
    const y = window.scrollY;
    const { documentElement: page } = document;
    const isOnTop = y <= 0 && !window.matchMedia(TOO_SMALL).matches;
    const isAtEnd = isOnTop || y + window.innerHeight >= page.scrollHeight - 1;
    if (isAtEnd || y !== last) button.toggleAttribute('data-aside', !isAtEnd && y > last);
    last = y;
  };
  document.addEventListener('scroll', follow, { passive: true });
  follow();
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
