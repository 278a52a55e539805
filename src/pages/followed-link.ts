/** The links that are moves inside the public document; all others are the browser's. */

/** The link to another page of this document, or to the top of this one, that a click follows; else undefined. */
export function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  const { button, metaKey, ctrlKey, altKey, shiftKey } = event;
  if (event.defaultPrevented || button !== 0 || metaKey || ctrlKey || altKey || shiftKey) return;
  const link = linkAt(event.target);
  if (!link || link.target || link.hasAttribute('download') || !leadsToPage(link)) return undefined;
  // To a place on the page that is open the browser goes itself.
  const place = link.getAttribute('href')?.includes('#');
  return place && link.pathname === window.location.pathname ? undefined : link;
}

export function linkAt(target: EventTarget | null): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null;
}

/** The checkout and the staff area are documents of their own, each with its content policy. */
export function leadsToPage({ origin, pathname }: HTMLAnchorElement): boolean {
  return origin === window.location.origin && !/^\/(checkout|admin)|\.\w+$/.test(pathname);
}
