/** To be run in a page: what follows a width or an input by script, such as a chart, has followed. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => resolve())));
  });
}
