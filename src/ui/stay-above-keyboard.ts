/**
 * Tells an element, as `--keyboard`, how much of the page the keyboard on the screen covers where it does not shrink it,
 * as on an iPhone.
 */
export function stayAboveKeyboard(element: HTMLElement): (() => void) | undefined {
  const seen = window.visualViewport;
  if (!seen) return undefined;
  const fit = () => {
    // A visitor who has zoomed in sees a part of the page for another reason.
    const covered = seen.scale > 1 ? 0 : window.innerHeight - seen.height - seen.offsetTop;
    element.style.setProperty('--keyboard', `${Math.max(0, Math.round(covered))}px`);
  };
  seen.addEventListener('resize', fit);
  return () => seen.removeEventListener('resize', fit);
}
