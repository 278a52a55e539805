/**
 * Names icon-only buttons for those who see them: an element marked `data-tooltip` shows its aria-label after
 * 700 ms under the pointer, at once under the keyboard's focus, and at once again while one was just shown.
 * One element for the whole document, in the browser's top layer; see docs/decisions for why it is not a library.
 */
const DELAY_MS = 700;
/** After a tooltip went away the next one comes without delay for this long. */
const SKIP_DELAY_MS = 300;
const GAP_PX = 8;

export function startTooltips(): void {
  const bubble = document.createElement('div');
  bubble.className = 'tooltip';
  bubble.popover = 'manual';
  // The button has this name already, and screen readers should not read it twice.
  bubble.ariaHidden = 'true';
  document.body.append(bubble);

  let timer: ReturnType<typeof setTimeout> | undefined;
  let owner: Element | null = null;
  let hiddenAt = Number.NEGATIVE_INFINITY;

  /** It does not come back before the pointer or the focus has left its button. */
  const putAway = () => {
    clearTimeout(timer);
    if (!bubble.matches(':popover-open')) return;
    bubble.hidePopover();
    hiddenAt = performance.now();
  };
  const show = (element: Element) => {
    bubble.textContent = element.ariaLabel;
    bubble.showPopover();
    place(bubble, element);
  };
  const aim = (target: EventTarget | null, delay: number) => {
    const element = tipped(target);
    if (element === owner) return;
    putAway();
    owner = element;
    if (!element) return;
    const warm = performance.now() - hiddenAt < SKIP_DELAY_MS;
    timer = setTimeout(show, warm ? 0 : delay, element);
  };
  /** Focus scrolls to its button after the tooltip has come; a button that leaves the window takes it along. */
  const follow = () => {
    if (!owner || !bubble.matches(':popover-open')) return;
    const { top, bottom } = owner.getBoundingClientRect();
    if (bottom < 0 || top > document.documentElement.clientHeight) putAway();
    else place(bubble, owner);
  };

  document.addEventListener('pointerover', (event) => {
    // A pointer that moves from the button onto its tooltip keeps it open (WCAG 1.4.13).
    if (event.pointerType === 'touch' || event.target === bubble) return;
    // What the keyboard brought stays: when Tab scrolls, the page moves under a pointer that rests.
    if (owner?.matches(':focus-visible') && !tipped(event.target)) return;
    aim(event.target, DELAY_MS);
  });
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element && target.matches(':focus-visible')) aim(target, 0);
  });
  document.addEventListener('focusout', () => aim(null, 0));
  document.addEventListener('pointerdown', putAway);
  document.addEventListener('click', putAway);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && putAway());
  document.addEventListener('scroll', follow, { capture: true, passive: true });
}

/** The element with a tooltip that the target is, or is in. */
function tipped(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-tooltip]') : null;
}

/** Above the element, or below where there is no room; never over the window's edge. */
function place(bubble: HTMLElement, element: Element): void {
  const target = element.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const above = target.top - GAP_PX - height;
  const centred = target.left + target.width / 2 - width / 2;
  const furthest = document.documentElement.clientWidth - width - GAP_PX;
  bubble.style.left = `${Math.max(GAP_PX, Math.min(centred, furthest))}px`;
  bubble.style.top = `${above >= GAP_PX ? above : target.bottom + GAP_PX}px`;
}
