/** Sets `--keyboard` to the height that the keyboard covers, where the page does not shrink. */
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
