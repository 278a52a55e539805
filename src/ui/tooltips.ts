/**
 * Tooltips for `data-tooltip`: the aria-label after 700 ms of hovering, or at once on keyboard
 * focus. One popover serves the document; docs/decisions says why this is not a library.
 */
const DELAY_MS = 700;
/** For this long after a tooltip is hidden, the next one shows without delay. */
const SKIP_DELAY_MS = 300;
const GAP_PX = 8;

export function startTooltips(): void {
  const bubble = document.createElement('div');
  bubble.className = 'tooltip';
  bubble.popover = 'manual';
  // The button has this name already: screen readers should not read it twice.
  bubble.ariaHidden = 'true';

  let timer: ReturnType<typeof setTimeout> | undefined;
  let owner: Element | null = null;
  let hiddenAt = Number.NEGATIVE_INFINITY;

  /** Keeps `owner`: the tooltip must not return before the pointer or focus has left. */
  const hide = () => {
    clearTimeout(timer);
    if (!bubble.matches(':popover-open')) return;
    bubble.hidePopover();
    hiddenAt = performance.now();
  };
  const show = (element: Element) => {
    bubble.textContent = element.ariaLabel;
    if (!bubble.isConnected) document.body.append(bubble);
    bubble.showPopover();
    place(bubble, element);
  };
  const schedule = (target: EventTarget | null, delay: number) => {
    const element = tooltipTarget(target);
    if (element === owner) return;
    hide();
    owner = element;
    if (!element) return;
    const warm = performance.now() - hiddenAt < SKIP_DELAY_MS;
    timer = setTimeout(show, warm ? 0 : delay, element);
  };
  /** Keyboard focus scrolls to its button later, so the tooltip moves with it. */
  const follow = () => {
    if (!owner || !bubble.matches(':popover-open')) return;
    const { top, bottom } = owner.getBoundingClientRect();
    if (bottom < 0 || top > document.documentElement.clientHeight) hide();
    else place(bubble, owner);
  };

  document.addEventListener('pointerover', (event) => {
    // The tooltip itself can be hovered (WCAG 1.4.13).
    if (event.pointerType === 'touch' || event.target === bubble) return;
    // One shown by the keyboard stays: Tab scrolls the page under a pointer that rests.
    if (owner?.matches(':focus-visible') && !tooltipTarget(event.target)) return;
    schedule(event.target, DELAY_MS);
  });
  document.addEventListener('focusin', ({ target }) => {
    if (tooltipTarget(target)?.matches(':focus-visible')) schedule(target, 0);
  });
  document.addEventListener('focusout', () => {
    // A press may move the focus while the pointer rests on its button.
    if (!owner?.matches(':hover')) schedule(null, 0);
  });
  document.addEventListener('pointerdown', hide);
  document.addEventListener('click', hide);
  document.addEventListener('keydown', ({ key }) => key === 'Escape' && hide());
  document.addEventListener('scroll', follow, { capture: true, passive: true });
}

function tooltipTarget(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('[data-tooltip]') : null;
}

/** Above the element, or below it where there is no room, and always inside the window. */
function place(bubble: HTMLElement, element: Element): void {
  const target = element.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const above = target.top - GAP_PX - height;
  const centred = target.left + target.width / 2 - width / 2;
  const furthest = document.documentElement.clientWidth - width - GAP_PX;
  bubble.style.left = `${Math.max(GAP_PX, Math.min(centred, furthest))}px`;
  bubble.style.top = `${above >= GAP_PX ? above : target.bottom + GAP_PX}px`;
}
