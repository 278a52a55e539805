/** What a page tells about its loading, in milliseconds since the navigation. */
export interface Loading {
  firstPaint: number;
  largestPaint: number;
  /** The sum of what each task took longer than 50 ms. */
  blocking: number;
  layoutShift: number;
  /** When each button could be pressed, by its name. */
  enabled: Record<string, number>;
}

declare global {
  interface Window {
    loading: Loading;
  }
}

/** Runs in the page. */
export function watchLoading(buttons: readonly string[]): void {
  const loading = { firstPaint: 0, largestPaint: 0, blocking: 0, layoutShift: 0, enabled: {} };
  const watched: Loading = Object.assign(window, { loading }).loading;
  const watch = (type: string, add: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({
      type,
      buffered: true,
    });
  watch('paint', ({ startTime }) => {
    watched.firstPaint = startTime;
  });
  watch('largest-contentful-paint', ({ startTime }) => {
    watched.largestPaint = startTime;
  });
  watch('longtask', ({ startTime, duration }) => {
    if (startTime > watched.firstPaint && watched.firstPaint > 0) watched.blocking += duration - 50;
  });
  watch('layout-shift', (entry) => {
    watched.layoutShift += 'value' in entry ? Number(entry.value) : 0;
  });
  new MutationObserver(() => {
    for (const button of document.querySelectorAll('button:enabled:not([data-early])')) {
      const name = button.ariaLabel ?? button.textContent;
      if (buttons.includes(name)) watched.enabled[name] ??= performance.now();
    }
  }).observe(document, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled', 'data-early'],
  });
}
