/** Waits for the first visit to an element that is marked `data-tooltip`; what shows tooltips is loaded then. */
export function startTooltips(): void {
  const waiting = new AbortController();
  const begin = (event: Event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-tooltip]')) return;
    waiting.abort();
    import('./tooltip-layer.ts').then(({ showTooltips }) => showTooltips(event), console.error);
  };
  for (const type of ['pointerover', 'focusin']) {
    document.addEventListener(type, begin, { signal: waiting.signal });
  }
}
