const SCROLLED_PX = 50;

/** What the navbar does in the browser. */
export function operateNavbar(): void {
  const header = document.querySelector('body header');
  if (!header) return;
  const follow = () => header.toggleAttribute('data-scrolled', window.scrollY > SCROLLED_PX);
  follow();
  addEventListener('scroll', follow, { passive: true });
  for (const menu of header.querySelectorAll<HTMLElement>('[popover]')) operateMenu(menu);
}

/** Closes a menu that covers what has the focus, or where one of its links leads. */
function operateMenu(menu: HTMLElement): void {
  const part = menu.parentElement;
  part?.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !part.contains(relatedTarget)) menu.hidePopover();
  });
  menu.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) menu.hidePopover();
  });
  // A link may have been followed before the script ran.
  if (window.location.hash) menu.hidePopover();
}
