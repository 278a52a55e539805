const SCROLLED_PX = 50;

/** What the navbar does in the browser. */
export function operateNavbar(): void {
  const header = document.querySelector('body header');
  if (!header) return;
  const follow = () => header.toggleAttribute('data-scrolled', window.scrollY > SCROLLED_PX);
  follow();
  addEventListener('scroll', follow, { passive: true });
  for (const menu of header.querySelectorAll<HTMLElement>('[popover]')) operateMenu(menu);
  markSectionInView([...header.querySelectorAll<HTMLAnchorElement>('nav a')]);
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

/** Marks the links to the section a third of the way down the window. */
function markSectionInView(links: readonly HTMLAnchorElement[]): void {
  let current = '';
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) current = target.id;
        else if (current === target.id) current = '';
      }
      for (const link of links) {
        if (current && link.hash === `#${current}`) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    },
    { rootMargin: '-33% 0px -67% 0px' },
  );
  for (const section of document.querySelectorAll('section[id]')) observer.observe(section);
}
