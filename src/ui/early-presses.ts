import { whenIdle } from '../platform/browser/when-idle.ts';

/** Does the press that theme.browser.ts has kept, if its button works by now. */
export function doEarlyPress(): void {
  const kept = document.querySelector<HTMLElement>('[data-pressed]:not([data-early])');
  kept?.removeAttribute('data-pressed');
  // What was typed and chosen meanwhile is read first.
  if (kept) whenIdle(() => kept.click());
}
