import { useEffect, useState } from 'react';

/** The id of the page's section that crosses the line a third down the window, '' for none: the navbar marks its link. */
export function useSectionInView(): string {
  const [current, setCurrent] = useState('');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries)
          setCurrent((before) => (isIntersecting ? target.id : before === target.id ? '' : before));
      },
      { rootMargin: '-33% 0px -67% 0px' },
    );
    for (const section of document.querySelectorAll('section[id]')) observer.observe(section);
    return () => observer.disconnect();
  }, []);
  return current;
}
