/**
 * Marks the link to the part of the page that a third of the way down the window is in: the last
 * one that begins above there.
 */
export function markCurrent(links: string, parts: string): void {
  const anchors = [...document.querySelectorAll<HTMLAnchorElement>(links)];
  const inOrder = [...document.querySelectorAll(parts)];
  const begun = new Set<Element>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) begun.add(target);
        else begun.delete(target);
      const current = inOrder.findLast((part) => begun.has(part));
      for (const anchor of anchors)
        if (current && anchor.hash === `#${current.id}`)
          anchor.setAttribute('aria-current', 'true');
        else anchor.removeAttribute('aria-current');
    },
    // All that is above, too.
    { rootMargin: '1000000px 0px -67% 0px' },
  );
  for (const part of inOrder) observer.observe(part);
}
