/**
 * The behavior of what surrounds every page for visitors. React renders that on the server and
 * never hydrates it; no library is imported here.
 */
import { rememberFirstVisit } from '../attribution/first-visit.ts';
import { operateChat } from '../chat/operate-chat.ts';
import { operateNavbar } from '../company/operate-navbar.ts';
import { showOpenNow } from '../company/show-open-now.ts';
import { leaveNotFound } from '../home/leave-not-found.ts';
import { importLater } from '../platform/browser/later-script.ts';
import { readPageData } from '../platform/browser/page-data.ts';
import { whenIdle } from '../platform/browser/when-idle.ts';
import type { PublicSite } from '../platform/site.ts';
import { doEarlyPress } from '../ui/early-presses.ts';
import { startPrinting } from '../ui/start-printing.ts';
import { startTooltips } from '../ui/tooltips.ts';
import { restoreTyped } from '../ui/typed-fields.ts';
import type { ShellScripts } from './islands.ts';

/** The share of page views whose speed is measured (vitals.browser.ts). */
const MEASURED = 0.1;

export function startShell(): void {
  restoreTyped();
  rememberFirstVisit();
  startTooltips();
  operateNavbar();
  leaveNotFound();
  startPrinting();
  for (const button of document.querySelectorAll('[data-early]:not([data-island] *)'))
    button.removeAttribute('data-early');
  doEarlyPress();
  const { site, scripts } = readPageData<{ site: PublicSite; scripts: ShellScripts }>();
  operateChat(scripts.chat);
  if (!document.hidden && Math.random() < MEASURED)
    whenIdle(() => void importLater(scripts.vitals));
  // The first use of Intl takes a phone 40 ms.
  whenIdle(() => showOpenNow(site.company));
  const { islands } = scripts;
  if (islands) whenPainted(() => void importLater(islands, true));
  else if (!document.querySelector('[data-island]')) document.documentElement.dataset.ready = '';
}

/** Timers would stand still where tests stop the clock. */
function whenPainted(callback: () => void): void {
  const observer = new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length === 0) return;
    observer.disconnect();
    callback();
  });
  observer.observe({ type: 'paint', buffered: true });
}
