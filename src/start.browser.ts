/**
 * The only script that a document names, and a small one. A page is whole without script, so the app's own waits until
 * what is seen first has been painted; or until somebody touches the page, or pictures take long to come. It imports
 * nothing, for that would be fetched with it.
 */
import type { Linked } from './documents/document.tsx';

const LONGEST_WAIT_MS = 3_000;

let started = false;
/** A button that was pressed before there was anybody to answer. */
let pressed: HTMLButtonElement | null = null;

async function start() {
  if (started) return;
  started = true;
  const { script, preloads }: { script: Linked; preloads: Linked[] } = JSON.parse(
    document.getElementById('page-script')?.textContent ?? '',
  );
  // All at once, and each checked against its digest; the import takes what has been checked.
  for (const { href, integrity = '' } of [script, ...preloads]) {
    const link = document.createElement('link');
    document.head.append(Object.assign(link, { rel: 'modulepreload', href, integrity }));
  }
  await import(/* @vite-ignore */ script.href);
  removeEventListener('click', remember, true);
  pressed?.click();
}

function remember({ target }: Event) {
  if (target instanceof Element)
    pressed = target.closest<HTMLButtonElement>('button[type="button"]');
}

addEventListener('click', remember, true);
addEventListener('pointerdown', start, { capture: true, once: true, passive: true });
addEventListener('keydown', start, { capture: true, once: true });
setTimeout(start, LONGEST_WAIT_MS);
if (document.readyState === 'complete') startAfterPaint();
else addEventListener('load', startAfterPaint);

/** A frame that was drawn is not yet one that is seen: of that only the browser's own record tells. */
function startAfterPaint() {
  const seen = new PerformanceObserver(() => {
    seen.disconnect();
    start();
  });
  requestAnimationFrame(() => setTimeout(() => seen.observe({ type: 'paint', buffered: true })));
}
