/**
 * The behavior of what surrounds every page for visitors. React renders that on the server and
 * never hydrates it; no library is imported here.
 */
import { rememberFirstVisit } from '../attribution/first-visit.ts';
import { operateChat } from '../chat/operate-chat.ts';
import { operateNavbar } from '../company/operate-navbar.ts';
import { showOpenNow } from '../company/show-open-now.ts';
import { leaveNotFound } from '../home/leave-not-found.ts';
import { operateCarousel } from '../home/operate-carousel.ts';
import { importLater } from '../platform/browser/later-script.ts';
import { readPageData } from '../platform/browser/page-data.ts';
import { whenIdle } from '../platform/browser/when-idle.ts';
import type { PublicSite } from '../platform/site.ts';
import { doEarlyPress } from '../ui/early-presses.ts';
import { markCurrent } from '../ui/mark-current.ts';
import { startPrinting } from '../ui/start-printing.ts';
import { startTooltips } from '../ui/tooltips.ts';
import { restoreTyped } from '../ui/typed-fields.ts';
import type { ShellScripts } from './islands.ts';

/** The share of page views whose speed is measured (vitals.browser.ts). */
const MEASURED = 0.1;

export function startShell(): void {
  const { site, scripts } = readPageData<{ site: PublicSite; scripts: ShellScripts }>();
  const { islands } = scripts;
  // First: what follows reads the layout, which takes a phone a third of a second.
  if (islands) whenPainted(() => void importLater(islands, true));
  restoreTyped();
  rememberFirstVisit();
  startTooltips();
  operateCarousel();
  operateNavbar();
  markCurrent('header nav a', 'section[id]');
  markCurrent('[data-contents] a', 'h2[id], h3[id]');
  leaveNotFound();
  startPrinting();
  for (const button of document.querySelectorAll('[data-early]:not([data-island] *)'))
    button.removeAttribute('data-early');
  doEarlyPress();
  operateChat(scripts.chat);
  if (!document.hidden && Math.random() < MEASURED)
    whenIdle(() => void importLater(scripts.vitals));
  // The first use of Intl takes a phone 40 ms.
  whenIdle(() => showOpenNow(site.company));
  if (!document.querySelector('[data-island]')) document.documentElement.dataset.ready = '';
}

/** Timers would stand still where tests stop the clock. */
function whenPainted(callback: () => void): void {
  const isPainted = (entries: Pick<Performance, 'getEntriesByName'>) =>
    entries.getEntriesByName('first-contentful-paint').length > 0;
  if (isPainted(performance)) {
    callback();
    return;
  }
  const observer = new PerformanceObserver((list) => {
    if (!isPainted(list)) return;
    observer.disconnect();
    callback();
  });
  observer.observe({ type: 'paint', buffered: true });
}
