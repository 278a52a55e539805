import type { Company } from './company.ts';
import { keepTimesTogether, openNow } from './hours.ts';

/** Fills in whether the desk is open, in each `OpenNow`. */
export function showOpenNow({ hours }: Company): void {
  const show = () => {
    const text = keepTimesTogether(openNow(hours, Date.now()));
    for (const place of document.querySelectorAll('[data-open-now]')) place.textContent = text;
  };
  show();
  setInterval(show, 30_000);
}
