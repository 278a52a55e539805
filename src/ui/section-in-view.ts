/** Which section of the page is being read: sections report themselves, the navbar marks its link. */
import { useSyncExternalStore } from 'react';

let current = '';
const listeners = new Set<() => void>();

function setCurrent(id: string) {
  current = id;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The id of the section that crosses the line a third down the window, '' for none. */
export function useSectionInView(): string {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => '',
  );
}

/** A ref for a section element; React calls what it returns when the section leaves the page. */
export function watchSection(section: HTMLElement) {
  const leave = () => {
    if (current === section.id) setCurrent('');
  };
  const observer = new IntersectionObserver(
    ([entry]) => (entry?.isIntersecting ? setCurrent(section.id) : leave()),
    { rootMargin: '-33% 0px -67% 0px' },
  );
  observer.observe(section);
  return () => {
    observer.disconnect();
    leave();
  };
}
