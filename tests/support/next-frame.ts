/** Runs in a page: waits until scripts that react to a resize or an input, such as a chart's, have redrawn. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => resolve())));
  });
}
