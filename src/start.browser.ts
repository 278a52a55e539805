/**
 * The only script that a document names, and a small one. A page is whole without script, so the others wait until what
 * is seen first has been painted, and most of them for a sign that somebody is there: a pointer that moves, a finger, a
 * key, a page that is scrolled, a way back. It imports nothing, for that would be fetched with it.
 */
import type { PageScripts } from './documents/document.tsx';

const SIGNS = ['pointermove', 'pointerdown', 'scroll', 'keydown', 'focusin', 'popstate'];
const named = document.querySelector('#page-scripts');
const { script, early, late }: PageScripts = JSON.parse(`${named?.textContent}`);
/** The buttons that were pressed before there was anybody to answer, each by what it opens, or by itself. */
const pressed = new Map<Element, HTMLButtonElement>();

/** All at once, and each checked against its digest; an import takes what has been checked. */
function fetchAhead(modules: PageScripts['early']) {
  for (const file of modules)
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload' }, file),
    );
}

let begun: Promise<void> | undefined;
/** React by itself, since nobody is answered meanwhile; then what acts before anybody is there. */
function startEarly(): Promise<void> {
  begun ??= (async () => {
    fetchAhead(early);
    await import(/* @vite-ignore */ early[0]?.href ?? '');
    if (early.some(({ href }) => href === script.href))
      await import(/* @vite-ignore */ script.href);
  })();
  if (!late.length || isExpected()) startWhole();
  return begun;
}

let isWhole = false;
async function startWhole() {
  if (isWhole) return;
  isWhole = true;
  const reactIsHere = startEarly();
  fetchAhead(late);
  await reactIsHere;
  const { takeOver } = await import(/* @vite-ignore */ script.href);
  await takeOver?.();
  removeEventListener('click', remember, true);
  for (const button of pressed.values()) button.click();
}

/**
 * Whether somebody was faster than this script, or the tab has something to go on with, such as a payment. Every tab
 * keeps where it was scrolled to, see pages/scroll-memory.ts; what else it keeps may have to be shown: a toast, an order.
 */
function isExpected(): boolean {
  try {
    return (
      !!document.querySelector(':focus') ||
      location.search.includes('payment') ||
      Object.keys(sessionStorage).some((key) => key !== 'scroll-positions')
    );
  } catch {
    return false;
  }
}

function remember({ target }: Event) {
  if (!(target instanceof Element)) return;
  const button = target.closest<HTMLButtonElement>('[type=button]');
  // React leaves properties on the elements that it has taken over, and answers for those itself.
  if (!button || Object.keys(button)[0]) return;
  const opened = button.ariaControlsElements?.[0];
  const key = opened ?? button;
  // Once more, it comes last.
  pressed.delete(key);
  // What it opens is shown at once; React finds it so when it comes to answer. A second press takes that back.
  if (!opened?.toggleAttribute('hidden')) pressed.set(key, button);
}

addEventListener('click', remember, true);
for (const sign of SIGNS) addEventListener(sign, startWhole, { capture: true, once: true });
// The load waits for this script. A frame that was drawn is not yet one that is seen: of that the browser's record tells.
addEventListener('load', () => {
  const seen = new PerformanceObserver(() => {
    seen.disconnect();
    startEarly();
  });
  requestAnimationFrame(() => setTimeout(() => seen.observe({ type: 'paint', buffered: true })));
});
