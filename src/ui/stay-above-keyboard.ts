/**
 * Sets `--keyboard` on the element to the height that the on-screen keyboard covers, on systems where it does not shrink the
 * page, such as iOS.
 */
export function stayAboveKeyboard(element: HTMLElement | null): (() => void) | undefined {
  const viewport = window.visualViewport;
  if (!viewport || !element) return undefined;
  const fit = () => {
    // Zooming in also makes the visual viewport smaller.
    const covered =
      viewport.scale > 1 ? 0 : window.innerHeight - viewport.height - viewport.offsetTop;
    element.style.setProperty('--keyboard', `${Math.max(0, Math.round(covered))}px`);
  };
  viewport.addEventListener('resize', fit);
  return () => viewport.removeEventListener('resize', fit);
}
