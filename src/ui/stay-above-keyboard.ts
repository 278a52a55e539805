/**
 * Sets `--keyboard` to the height that the keyboard covers, where the page does not shrink, and
 * `data-keyboard` while it covers any.
 */
export function stayAboveKeyboard(element: HTMLElement | null): (() => void) | undefined {
  const viewport = window.visualViewport;
  if (!viewport || !element) return undefined;
  const fit = () => {
    // Zooming in also makes the visual viewport smaller.
    const hidden = window.innerHeight - viewport.height - viewport.offsetTop;
    const covered = viewport.scale > 1 ? 0 : Math.max(0, Math.round(hidden));
    element.style.setProperty('--keyboard', `${covered}px`);
    element.toggleAttribute('data-keyboard', covered > 0);
  };
  // Where the page shrinks, its own height may change only after the viewport's.
  for (const resized of [viewport, window]) resized.addEventListener('resize', fit);
  return () => {
    for (const resized of [viewport, window]) resized.removeEventListener('resize', fit);
  };
}
