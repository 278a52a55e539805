import { Component, type ReactNode } from 'react';

/** Where the keyboard and screen readers go on, without scrolling; also to what is no stop of the keyboard. */
export function moveFocusTo(element: HTMLElement | null): void {
  if (!element) return;
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** The element that took the focus over when the last such button was removed: 'Try again' takes it back from there. */
let holder: HTMLElement | null = null;

/** The `ref` of 'Try again': when what it tried has failed again, the new button has the focus that the old one had. */
export function keepFocusOnRetry(button: HTMLButtonElement) {
  if (document.activeElement === holder) button.focus();
  return moveFocusOnRemove(button);
}

/** The `ref` of a button that goes with its part when it is pressed: what stays around takes the focus, its heading first. */
export function moveFocusOnRemove(button: HTMLButtonElement) {
  let wasPressed = false;
  button.addEventListener('click', () => {
    wasPressed = true;
  });
  return () => {
    // A button that works is disabled, and has lost the focus by the time it is removed.
    if (!wasPressed && document.activeElement !== button) return;
    // A range keeps the place of what is removed.
    const place = new Range();
    place.selectNode(button);
    // A part that fails again at once has its new button before the next line runs: the focus is on the body then.
    holder = document.body;
    queueMicrotask(() => {
      const around = place.startContainer;
      const lost = document.activeElement === holder && around instanceof HTMLElement;
      holder = lost ? (around.querySelector<HTMLElement>('h1, h2, h3') ?? around) : null;
      moveFocusTo(holder);
    });
  };
}

interface RestoreFocusProps {
  busy?: boolean | undefined;
  children: ReactNode;
}

/**
 * A control that is disabled while it works loses the focus: it gets it back afterwards, unless another has it by then.
 * A class, because only there React says when the control is still enabled: browsers differ in when they take the focus.
 */
export class RestoreFocus extends Component<RestoreFocusProps> {
  #focused: Element | null = null;

  override getSnapshotBeforeUpdate(before: RestoreFocusProps): Element | null {
    return this.props.busy && !before.busy ? document.activeElement : null;
  }

  override componentDidUpdate(before: RestoreFocusProps, _: unknown, focused: Element | null) {
    if (focused) this.#focused = focused;
    if (this.props.busy || !before.busy) return;
    const lost = document.activeElement === document.body;
    if (lost && this.#focused instanceof HTMLElement) this.#focused.focus({ preventScroll: true });
  }

  override render() {
    return this.props.children;
  }
}
