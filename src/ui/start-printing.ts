/** Does what a `PrintButton` offers. A press kept until its part works prints once, then. */
export function startPrinting(): void {
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('[data-print]:not([data-early])'))
      window.print();
  });
}
