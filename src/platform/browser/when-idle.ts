/** For browsers that do not say when they are idle. */
const IDLE_AFTER_MS = 2_000;

/** Calls back when the page has nothing else to do. */
export function whenIdle(callback: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(() => callback());
  else setTimeout(callback, IDLE_AFTER_MS);
}
