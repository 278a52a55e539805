/**
 * Measures what the visitor of this page view feels, as https://web.dev/articles/vitals defines
 * it, and sends it once, when the page is left or hidden. The shell fetches it for one view in ten.
 */
import type { Vitals } from './access-log/web-vitals-api.ts';

/** Shifts that follow each other so closely count together, for at most so long. */
const SHIFT_GAP_MS = 1000;
const SHIFT_WINDOW_MS = 5000;

interface Interaction extends PerformanceEntry {
  interactionId: number;
}
interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

const { supportedEntryTypes } = PerformanceObserver;
const vitals: Vitals = {
  lcp: null,
  inp: null,
  cls: supportedEntryTypes.includes('layout-shift') ? 0 : null,
};

watch('largest-contentful-paint', ({ startTime }) => {
  vitals.lcp = Math.round(startTime);
});
watch<Interaction>('event', ({ interactionId, duration }) => {
  if (interactionId) vitals.inp = Math.max(vitals.inp ?? 0, Math.round(duration));
});
const together = { value: 0, first: 0, last: Number.NEGATIVE_INFINITY };
watch<Shift>('layout-shift', ({ startTime, value, hadRecentInput }) => {
  if (hadRecentInput) return;
  const goesOn =
    startTime - together.last < SHIFT_GAP_MS && startTime - together.first < SHIFT_WINDOW_MS;
  together.first = goesOn ? together.first : startTime;
  together.last = startTime;
  together.value = (goesOn ? together.value : 0) + value;
  vitals.cls = Math.max(vitals.cls ?? 0, Math.round(together.value * 1000));
});
addEventListener('visibilitychange', send, { capture: true, once: true });

function send(): void {
  // A quote's path ends in a secret.
  const page = location.pathname.replace(/^(\/quote\/).*/, '$1-');
  const body = JSON.stringify({ page, ...vitals });
  navigator.sendBeacon('/api/web-vitals', new Blob([body], { type: 'application/json' }));
}

function watch<Entry extends PerformanceEntry>(type: string, add: (entry: Entry) => void): void {
  if (!supportedEntryTypes.includes(type)) return;
  const options = { type, buffered: true, durationThreshold: 16 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) add(entry as Entry);
  }).observe(options);
}
