/** What holds the focus until a button comes for it. */
let holder: Element | null = null;

/**
 * The `ref` of a button that goes with its part once it is pressed. The focus goes to what stays around it, to
 * the heading if there is one, and comes back when such a button stands there again.
 */
export function passFocusOn(button: HTMLButtonElement) {
  if (document.activeElement === holder) button.focus();
  return () => {
    if (document.activeElement !== button && !button.disabled) return;
    // Of what is removed, a range keeps the place.
    const place = new Range();
    place.selectNode(button);
    // A part that fails again at once has its next button before the focus is anywhere.
    holder = document.body;
    queueMicrotask(() => {
      const around = place.startContainer;
      if (document.activeElement !== holder || !(around instanceof HTMLElement)) return;
      const target = around.querySelector<HTMLElement>('h1, h2, h3') ?? around;
      holder = target;
      target.tabIndex = -1;
      target.focus({ preventScroll: true });
      target.onblur = () => {
        holder = null;
      };
    });
  };
}
