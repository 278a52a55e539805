/** Runs in a page: waits until what reacts to a resize or an input has redrawn. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => resolve())));
  });
}
